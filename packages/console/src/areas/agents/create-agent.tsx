import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { DialogButton } from '../../components/forms/dialog-button.tsx';
import { MutationForm } from '../../components/forms/mutation-form.tsx';
import { en } from '../../text/en.ts';

const text = en.agents;

/** Asks for a name. The page of the agent follows. */
export function CreateAgent() {
  return (
    <DialogButton label={text.create} title={text.createTitle}>
      {(close) => <NameForm onCancel={close} />}
    </DialogButton>
  );
}

function NameForm({ onCancel }: { readonly onCancel: () => void }) {
  const [name, setName] = useState('');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => {
      await mneme.agent(name).profile.update({});
      return name;
    },
    onSuccess: async (agentId) => {
      await queryClient.invalidateQueries({ queryKey: ['agents'] });
      await navigate({ to: '/agents/$agentId', params: { agentId } });
    },
  });
  return (
    <MutationForm mutation={create} submit={text.createSubmit} onCancel={onCancel}>
      <TextInput
        label={text.createName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        required
      />
    </MutationForm>
  );
}
