import { Stack, Switch, TextInput, Title } from '@mantine/core';
import type { ListedWebhook } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { MutationForm } from '../../components/forms/mutation-form.tsx';
import { useEdits } from '../../components/forms/use-edits.ts';
import { en } from '../../text/en.ts';
import { type TypedVerification, VerificationFields, verificationOf } from './verification-fields.tsx';

interface Fields {
  readonly name: string;
  readonly isActive: boolean;
  readonly deduplicate: boolean;
  /** Undefined: it stays as it is. */
  readonly verification: TypedVerification | undefined;
}

const text = en.webhooks;

/** What may be changed of a webhook. */
export function WebhookSettings({ webhook }: { readonly webhook: ListedWebhook }) {
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ verification, ...others }: Partial<Fields>) =>
      mneme.webhooks.update(webhook.id, {
        ...others,
        ...(verification && { verification: verificationOf(verification) }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] }),
  });
  const { fields, edits, isEdited, edit, discard } = useEdits<Fields>(fieldsOf(webhook), save.isPending);
  const mutate = () => save.mutate(edits, { onSuccess: (_, saved) => discard(saved) });
  const { verification } = fields;
  const present = { type: webhook.verification.type, secret: '' };
  return (
    <Stack maw={560}>
      <Title order={2}>{text.settings}</Title>
      <MutationForm mutation={{ ...save, mutate }} submit={text.save} done={isEdited ? undefined : text.saved}>
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
          checked={verification !== undefined}
          onChange={(event) => edit({ verification: event.currentTarget.checked ? present : undefined })}
        />
        {verification && (
          <VerificationFields value={verification} onChange={(changed) => edit({ verification: changed })} />
        )}
      </MutationForm>
    </Stack>
  );
}

function fieldsOf({ name, is_active, deduplicate }: ListedWebhook): Fields {
  return { name, isActive: is_active === 1, deduplicate, verification: undefined };
}
