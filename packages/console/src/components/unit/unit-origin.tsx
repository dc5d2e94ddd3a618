import { Stack, Text, Title } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { en } from '../../text/en.ts';
import { Time } from '../time.tsx';
import { Fields } from './fields.tsx';

const text = en.unit.origin;

type Origin = NonNullable<Memory['origin']>;

/** The event of the log that a memory comes from, with the request and who sent it. */
export function UnitOrigin({ origin }: { readonly origin: Origin | null }) {
  return (
    <Stack gap={4}>
      <Title order={3} fz="md">
        {text.title}
      </Title>
      {origin ? <Event origin={origin} /> : <Text size="sm">{text.none}</Text>}
    </Stack>
  );
}

function Event({ origin: { event, request_id, principal, operation_id } }: { readonly origin: Origin }) {
  return (
    <Fields
      fields={[
        [text.event, event.type],
        [text.time, <Time key="time" value={event.time} />],
        [text.place, `${event.stream}:${event.sequence}`],
        [text.eventId, event.id],
        [text.request, request_id ?? text.noRequest],
        [text.principal, principalName(principal)],
        [text.operation, operation_id ?? undefined],
      ]}
    />
  );
}

export function principalName(principal: Origin['principal']): string {
  if (!principal) return text.noPrincipal;
  return principal.kind === 'key' ? en.shell.key(principal.id) : en.shell.user(principal.id);
}
