import { Select, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { DialogButton } from '../../components/forms/dialog-button.tsx';
import { MutationForm } from '../../components/forms/mutation-form.tsx';
import { useCommand } from '../../components/forms/use-command.ts';
import { en } from '../../text/en.ts';
import { tablesQuery } from './queries.ts';
import { noVerification, VerificationFields, verificationOf } from './verification-fields.tsx';

interface CreateWebhookProps {
  readonly projectId: number;
}

const text = en.webhooks;

/** A button, and the dialog for a webhook. The page of the webhook follows, with its address. */
export function CreateWebhook({ projectId }: CreateWebhookProps) {
  return (
    <DialogButton label={text.create} title={text.create}>
      {(close) => <WebhookForm projectId={projectId} onCancel={close} />}
    </DialogButton>
  );
}

const emptyForm = { name: '', table: 'new', tableName: '', verification: noVerification, deduplicate: false };

function WebhookForm({ projectId, onCancel }: CreateWebhookProps & { readonly onCancel: () => void }) {
  const [form, setForm] = useState(emptyForm);
  const set = (changes: Partial<typeof emptyForm>) => setForm((current) => ({ ...current, ...changes }));
  const { data: tables = [] } = useQuery(tablesQuery(projectId));
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const command = useCommand();
  const create = useMutation({
    mutationFn: () => {
      const webhook = webhookOf(form);
      return command({ projectId, webhook }, (options) => mneme.webhooks.create(projectId, webhook, options));
    },
    onSuccess: async ({ id }) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
        queryClient.invalidateQueries({ queryKey: ['tables'] }),
      ]);
      await navigate({
        to: '/webhooks/$webhookId',
        params: { webhookId: String(id) },
        search: { project: projectId },
      });
    },
  });
  const choices = [
    { value: 'new', label: text.tableChoices.new },
    ...tables.map(({ id, display_name }) => ({ value: String(id), label: `${display_name} (${id})` })),
    { value: 'none', label: text.tableChoices.none },
  ];
  return (
    <MutationForm mutation={create} submit={text.submit} onCancel={onCancel}>
      <TextInput
        label={text.name}
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
        required
      />
      <Select
        label={text.table}
        data={choices}
        value={form.table}
        onChange={(table) => table !== null && set({ table })}
        allowDeselect={false}
      />
      {form.table === 'new' && (
        <TextInput
          label={text.tableName}
          description={text.tableNameHint}
          value={form.tableName}
          onChange={(event) => set({ tableName: event.currentTarget.value })}
        />
      )}
      <VerificationFields value={form.verification} onChange={(verification) => set({ verification })} />
      <Switch
        label={text.deduplicate}
        description={text.deduplicateHint}
        checked={form.deduplicate}
        onChange={(event) => set({ deduplicate: event.currentTarget.checked })}
      />
    </MutationForm>
  );
}

function webhookOf({ name, table, tableName, verification, deduplicate }: typeof emptyForm) {
  return {
    name,
    deduplicate,
    verification: verificationOf(verification),
    ...(table === 'new' && { createNewTable: true, newTableName: tableName }),
    ...(/^\d+$/.test(table) && { tableId: Number(table) }),
  };
}
