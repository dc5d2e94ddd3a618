import { Group, NumberInput, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { MutationForm } from '../../components/mutation-form.tsx';
import { en } from '../../text/en.ts';
import { NewKey } from './new-key.tsx';

interface CreateKeyProps {
  readonly projectId: number;
}

interface Issued {
  readonly issuedKey: string;
  readonly agentId: string | undefined;
}

const text = en.keys;
export const knownScopes = ['*', 'memory:write', 'memory:read'];

/** A button, the dialog that asks what the key is for, and the key itself. */
export function CreateKey({ projectId }: CreateKeyProps) {
  const [issued, setIssued] = useState<Issued>();
  return (
    <DialogButton
      label={text.create}
      title={issued ? text.created : text.create}
      onOpen={() => setIssued(undefined)}
      modalProps={{ size: 'lg', closeOnClickOutside: false }}
    >
      {(close) =>
        issued ? (
          <NewKey {...issued} onDone={close} />
        ) : (
          <KeyForm projectId={projectId} onIssued={setIssued} onCancel={close} />
        )
      }
    </DialogButton>
  );
}

interface KeyFormProps extends CreateKeyProps {
  readonly onIssued: (issued: Issued) => void;
  readonly onCancel: () => void;
}

const emptyForm = {
  name: '',
  scopes: ['memory:write'],
  agentId: '',
  rateLimit: 1_000 as number | string,
  days: '' as number | string,
};

function KeyForm({ projectId, onIssued, onCancel }: KeyFormProps) {
  const [form, setForm] = useState(emptyForm);
  const set = (changes: Partial<typeof emptyForm>) => setForm((current) => ({ ...current, ...changes }));
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: () => createKey(projectId, form),
    onSuccess: async (created) => {
      onIssued({ issuedKey: created.key, agentId: form.agentId || undefined });
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <MutationForm mutation={create} submit={text.submit} onCancel={onCancel}>
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

function createKey(projectId: number, { name, scopes, agentId, rateLimit, days }: typeof emptyForm) {
  return mneme.keys.create({
    projectId,
    name,
    scopes,
    rateLimit: Number(rateLimit),
    ...(days !== '' && { expiresInDays: Number(days) }),
    ...(agentId !== '' && { agentId }),
  });
}
