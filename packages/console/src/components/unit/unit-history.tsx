import { List, Stack, Text, Title } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { en } from '../../text/en.ts';
import { Time } from '../time.tsx';
import { principalName } from './unit-origin.tsx';

const text = en.unit.history;

/** What a memory said before, the newest first. */
export function UnitHistory({ history }: Pick<Memory, 'history'>) {
  return (
    <Stack gap={4}>
      <Title order={3} fz="md">
        {text.title}
      </Title>
      {history.length === 0 && <Text size="sm">{text.none}</Text>}
      <List size="sm" spacing="xs" listStyleType="none">
        {history.toReversed().map(({ text: former, until, event, principal }) => (
          <List.Item key={event.id}>
            <Text size="sm" className="user-text" td="line-through">
              {former}
            </Text>
            <Text size="xs" c="dimmed">
              {text.until} <Time value={until} />, {event.type}, {principalName(principal)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
