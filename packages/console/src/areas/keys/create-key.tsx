import { Group, NumberInput, TagsInput, TextInput } from '@mantine/core';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { DialogButton } from '../../components/forms/dialog-button.tsx';
import { MutationForm } from '../../components/forms/mutation-form.tsx';
import { useCommand } from '../../components/forms/use-command.ts';
import { en } from '../../text/en.ts';
import { NewKey } from './new-key.tsx';

interface CreateKeyProps {
  readonly projectId: number;
}

const text = en.keys;
export const knownScopes = ['*', 'memory:write', 'memory:read'];

/** A button, the dialog that asks what the key is for, and the key itself. */
export function CreateKey({ projectId }: CreateKeyProps) {
  const queryClient = useQueryClient();
  const command = useCommand();
  const create = useMutation({
    mutationFn: (form: KeyFields) => {
      const key = keyOf(projectId, form);
      return command(key, (options) => mneme.keys.create(key, options));
    },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <DialogButton
      label={text.create}
      title={create.isSuccess ? text.created : text.create}
      onOpen={create.reset}
      modalProps={{ size: 'lg' }}
    >
      {(close) =>
        create.isSuccess ? (
          <NewKey issuedKey={create.data.key} agentId={create.variables.agentId || undefined} onDone={close} />
        ) : (
          <KeyForm create={create} onCancel={close} />
        )
      }
    </DialogButton>
  );
}

interface KeyFormProps {
  readonly create: Pick<UseMutationResult<unknown, Error, KeyFields>, 'mutate' | 'isPending' | 'isSuccess' | 'error'>;
  readonly onCancel: () => void;
}

const emptyForm = {
  name: '',
  scopes: ['memory:write'],
  agentId: '',
  rateLimit: 1_000 as number | string,
  days: '' as number | string,
};
type KeyFields = typeof emptyForm;

function KeyForm({ create, onCancel }: KeyFormProps) {
  const [form, setForm] = useState(emptyForm);
  const set = (changes: Partial<KeyFields>) => setForm((current) => ({ ...current, ...changes }));
  return (
    <MutationForm mutation={{ ...create, mutate: () => create.mutate(form) }} submit={text.submit} onCancel={onCancel}>
      <TextInput
        label={text.name}
        description={text.nameHint}
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
        required
      />
      <TagsInput
        label={text.scopes}
        description={text.scopesHint}
        data={knownScopes}
        value={form.scopes}
        onChange={(scopes) => set({ scopes })}
      />
      <TextInput
        label={text.agent}
        description={text.agentHint}
        value={form.agentId}
        onChange={(event) => set({ agentId: event.currentTarget.value })}
      />
      <Group grow align="start">
        <NumberInput
          label={text.rateLimit}
          value={form.rateLimit}
          onChange={(rateLimit) => set({ rateLimit })}
          min={1}
          allowDecimal={false}
          required
        />
        <NumberInput
          label={text.expiresIn}
          description={text.expiresInHint}
          value={form.days}
          onChange={(days) => set({ days })}
          min={1}
          allowDecimal={false}
        />
      </Group>
    </MutationForm>
  );
}

function keyOf(projectId: number, { name, scopes, agentId, rateLimit, days }: KeyFields) {
  return {
    projectId,
    name,
    scopes,
    rateLimit: Number(rateLimit),
    ...(days !== '' && { expiresInDays: Number(days) }),
    ...(agentId !== '' && { agentId }),
  };
}
