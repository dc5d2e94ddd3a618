import { Checkbox, Group, Progress, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Delivery } from '@mneme/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../../app/client.ts';
import { MutationForm } from '../../../components/forms/mutation-form.tsx';
import { useCommand } from '../../../components/forms/use-command.ts';
import { useRefreshOn } from '../../../components/refresh/use-refresh-on.ts';
import { en } from '../../../text/en.ts';
import { allDeliveriesKey, replayQuery } from '../queries.ts';

type Status = Delivery['status'];

const text = en.webhooks.replay;
const { statuses } = en.webhooks.deliveries;
const order: readonly Status[] = ['error', 'processed', 'received'];
const pollMs = 500;
/** The least time between two readings of the deliveries that are replayed, in milliseconds. */
const refreshMs = 1_000;
const noReplay = { processed: 0, failed: 0, calls: 0, is_done: true };

/** Processes the deliveries of a status again, all or those since a time. */
export function ReplayMany({ webhookId }: { readonly webhookId: number }) {
  const [status, setStatus] = useState<Status>('error');
  const [since, setSince] = useState('');
  const [isReplacing, setIsReplacing] = useState(false);
  const isUnderWay = useQuery(replayQuery(webhookId)).data?.is_done === false;
  const queryClient = useQueryClient();
  const command = useCommand();
  const replay = useMutation({
    mutationFn: () => {
      const from = since === '' ? {} : { since: new Date(since) };
      const which = { status, ...from, ...(isUnderWay && isReplacing && { replace: true }) };
      return command({ webhookId, which }, (options) => mneme.webhooks.replayAll(webhookId, { ...which, ...options }));
    },
    onSuccess: (progress) => {
      setIsReplacing(false);
      queryClient.setQueryData(replayQuery(webhookId).queryKey, progress);
    },
    // Somebody else may have started the one that is under way.
    onError: () => queryClient.invalidateQueries(replayQuery(webhookId)),
  });
  return (
    <Stack>
      <Title order={2}>{text.title}</Title>
      <Text>{text.hint}</Text>
      <MutationForm mutation={replay} submit={text.submit}>
        <Group align="end">
          <Select
            label={text.status}
            data={order.map((value) => ({ value, label: statuses[value] }))}
            value={status}
            onChange={(value) => value !== null && setStatus(value)}
            allowDeselect={false}
            w={160}
          />
          <TextInput
            type="datetime-local"
            label={text.since}
            description={text.sinceHint}
            value={since}
            onChange={(event) => setSince(event.currentTarget.value)}
          />
        </Group>
        {isUnderWay && (
          <Checkbox
            label={text.replace}
            checked={isReplacing}
            onChange={(event) => setIsReplacing(event.currentTarget.checked)}
          />
        )}
      </MutationForm>
      {replay.data?.calls === 0 && (
        <Text size="sm" role="status">
          {text.none}
        </Text>
      )}
      <ReplayProgress webhookId={webhookId} />
    </Stack>
  );
}

function ReplayProgress({ webhookId }: { readonly webhookId: number }) {
  const { data } = useQuery({
    ...replayQuery(webhookId),
    refetchInterval: ({ state }) => (state.data?.is_done === false ? pollMs : false),
  });
  const { processed, failed, calls, is_done } = data ?? noReplay;
  useRefreshOn(`${processed + failed} ${is_done}`, allDeliveriesKey(webhookId), refreshMs);
  if (calls === 0) return null;
  return (
    <Stack gap={4} maw={480}>
      <Progress value={((processed + failed) / calls) * 100} aria-label={text.label} />
      <Text size="sm" role="status">
        {text.progress(processed, failed, calls)}
      </Text>
    </Stack>
  );
}
