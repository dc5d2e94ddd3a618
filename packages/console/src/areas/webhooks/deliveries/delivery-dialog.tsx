import { Button, Code, Group, Stack, Switch, Text } from '@mantine/core';
import type { Delivery } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../../app/client.ts';
import { Facts } from '../../../components/facts.tsx';
import { Dialog, useBusyDialog } from '../../../components/forms/dialog.tsx';
import { useCommand } from '../../../components/forms/use-command.ts';
import { ProblemAlert } from '../../../components/problem.tsx';
import { Time } from '../../../components/time.tsx';
import { en } from '../../../text/en.ts';
import { DeliveryStatus } from './delivery-status.tsx';

interface DeliveryDialogProps {
  /** Undefined: closed. */
  readonly delivery: Delivery | undefined;
  readonly onClose: () => void;
}

const text = en.webhooks.deliveries;

/** One delivery with its payload, and a button to process it again. */
export function DeliveryDialog({ delivery, onClose }: DeliveryDialogProps) {
  return (
    <Dialog
      opened={delivery !== undefined}
      onClose={onClose}
      title={delivery && text.payloadTitle(delivery.id)}
      size="xl"
      closeLabel={text.close}
    >
      {delivery && <DeliveryView key={delivery.id} delivery={delivery} onClose={onClose} />}
    </Dialog>
  );
}

function DeliveryView({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) {
  const [isFormatted, setFormatted] = useState(false);
  const queryClient = useQueryClient();
  const command = useCommand();
  const replay = useMutation({
    mutationFn: () =>
      command(delivery.id, (options) => mneme.webhooks.replay(delivery.webhook_id, delivery.id, options)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const button = useBusyDialog(replay.isPending);
  const current = replay.data ?? delivery;
  return (
    <Stack>
      {replay.isError && <ProblemAlert error={replay.error} />}
      <Facts
        facts={[
          [text.columns.status, <DeliveryStatus key="status" status={current.status} />],
          [text.columns.time, <Time key="received" value={current.created_at} />],
          [text.processed, <Time key="processed" value={current.processed_at} />],
          [text.columns.sender, current.source_ip],
        ]}
      />
      {current.error_message !== null && <Text className="user-text">{current.error_message}</Text>}
      <Switch
        label={text.formatted}
        description={text.formattedHint}
        checked={isFormatted}
        onChange={(event) => setFormatted(event.currentTarget.checked)}
      />
      <Code block className="user-text" mah={360} tabIndex={0} role="region" aria-label={text.payload}>
        {isFormatted ? formatted(current.payload) : current.payload}
      </Code>
      <Group justify="space-between">
        <Text role="status">{replay.isSuccess && text.replayed(text.statuses[replay.data.status])}</Text>
        <Group>
          <Button ref={button} variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
            {text.replay}
          </Button>
          <Button onClick={onClose} disabled={replay.isPending}>
            {text.close}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** As it came if it cannot be read. */
function formatted(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
