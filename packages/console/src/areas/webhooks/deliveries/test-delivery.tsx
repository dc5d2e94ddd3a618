import { JsonInput, Stack, Text, Title } from '@mantine/core';
import type { ListedWebhook } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../../app/client.ts';
import { MutationForm } from '../../../components/forms/mutation-form.tsx';
import { useCommand } from '../../../components/forms/use-command.ts';
import { en } from '../../../text/en.ts';

interface TestDeliveryProps {
  readonly webhook: ListedWebhook;
  readonly sample: string;
}

const text = en.webhooks.test;

/** Records a delivery as if a sender had sent it. */
export function TestDelivery({ webhook, sample }: TestDeliveryProps) {
  return (
    <Stack maw={640}>
      <Title order={2}>{text.title}</Title>
      <Body webhook={webhook} sample={sample} />
    </Stack>
  );
}

function Body({ webhook: { id, is_active }, sample }: TestDeliveryProps) {
  const [payload, setPayload] = useState(sample);
  const queryClient = useQueryClient();
  const command = useCommand();
  const send = useMutation({
    mutationFn: () => command({ id, payload }, (options) => mneme.webhooks.testJson(id, payload, options)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  if (!is_active) return <Text>{text.inactive}</Text>;
  return (
    <MutationForm mutation={send} submit={text.send} done={text.sent} isDisabled={!isJson(payload)}>
      <JsonInput
        label={text.payload}
        description={text.hint}
        value={payload}
        onChange={setPayload}
        error={isJson(payload) ? undefined : text.notJson}
        autosize
        minRows={3}
        maxRows={16}
      />
    </MutationForm>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
