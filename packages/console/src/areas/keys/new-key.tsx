import { Alert, Button, Group, Stack, Tabs } from '@mantine/core';
import { CopiedText } from '../../components/copied-text.tsx';
import { en } from '../../text/en.ts';
import { snippetsFor } from './snippets.ts';

interface NewKeyProps {
  readonly issuedKey: string;
  readonly agentId: string | undefined;
  readonly onDone: () => void;
}

const text = en.keys;

/** A key that has just been issued, the only time that it is shown. */
export function NewKey({ issuedKey, agentId, onDone }: NewKeyProps) {
  const snippets = snippetsFor({ key: issuedKey, agentId, origin: location.origin });
  return (
    <Stack>
      <Alert color="yellow" title={text.once} />
      <CopiedText label={text.key} value={issuedKey} />
      <Tabs defaultValue="sdk">
        <Tabs.List aria-label={text.snippets.label}>
          <Tabs.Tab value="sdk">{text.snippets.sdk}</Tabs.Tab>
          <Tabs.Tab value="mcp">{text.snippets.mcp}</Tabs.Tab>
          <Tabs.Tab value="curl">{text.snippets.curl}</Tabs.Tab>
        </Tabs.List>
        {(['sdk', 'mcp', 'curl'] as const).map((name) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <CopiedText label={text.snippets[name]} value={snippets[name]} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Group justify="flex-end">
        <Button onClick={onDone}>{text.done}</Button>
      </Group>
    </Stack>
  );
}
