import { Stack, Switch, TextInput, Title } from '@mantine/core';
import type { ListedWebhook } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { MutationForm } from '../../components/mutation-form.tsx';
import { useEdits } from '../../components/use-edits.ts';
import { en } from '../../text/en.ts';
import { VerificationFields, verificationOf } from './verification-fields.tsx';

const text = en.webhooks;

/** What may be changed of a webhook. */
export function WebhookSettings({ webhook }: { readonly webhook: ListedWebhook }) {
  const { fields, edits, edit, discard } = useEdits({
    name: webhook.name,
    isActive: webhook.is_active === 1,
    deduplicate: webhook.deduplicate,
  });
  const [isChanging, setChanging] = useState(false);
  const [verification, setVerification] = useState({ type: webhook.verification.type, secret: '' });
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      mneme.webhooks.update(webhook.id, {
        ...edits,
        ...(isChanging && { verification: verificationOf(verification) }),
      }),
    onSuccess: async () => {
      setChanging(false);
      await queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      discard();
    },
  });
  return (
    <Stack maw={560}>
      <Title order={2}>{text.settings}</Title>
      <MutationForm mutation={save} submit={text.save} done={text.saved}>
        <TextInput
          label={text.name}
          value={fields.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
          required
        />
        <Switch
          label={text.active}
          description={text.activeHint}
          checked={fields.isActive}
          onChange={(event) => edit({ isActive: event.currentTarget.checked })}
        />
        <Switch
          label={text.deduplicate}
          description={text.deduplicateHint}
          checked={fields.deduplicate}
          onChange={(event) => edit({ deduplicate: event.currentTarget.checked })}
        />
        <Switch
          label={text.changeVerification}
          description={`${text.verification}: ${text.verifications[webhook.verification.type]}`}
          checked={isChanging}
          onChange={(event) => setChanging(event.currentTarget.checked)}
        />
        {isChanging && <VerificationFields value={verification} onChange={setVerification} />}
      </MutationForm>
    </Stack>
  );
}
