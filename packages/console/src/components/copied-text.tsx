import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useId } from 'react';
import { en } from '../text/en.ts';

interface CopiedTextProps {
  readonly label: string;
  readonly value: string;
}

/** A text to use somewhere else: a key, an address, a command. */
export function CopiedText({ label, value }: CopiedTextProps) {
  const { copy, copied, error } = useClipboard();
  const id = useId();
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="end" wrap="nowrap">
        <Text size="sm" fw={500} id={id}>
          {label}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => copy(value)} aria-describedby={id}>
          {copied ? en.copy.copied : en.copy.copy}
        </Button>
      </Group>
      <Code block className="user-text" tabIndex={0} role="region" aria-labelledby={id}>
        {value}
      </Code>
      {error && (
        <Text size="sm" role="status">
          {en.copy.failed}
        </Text>
      )}
    </Stack>
  );
}
