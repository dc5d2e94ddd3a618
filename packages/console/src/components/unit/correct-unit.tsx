import { Textarea } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { en } from '../../text/en.ts';
import { DialogButton } from '../forms/dialog-button.tsx';
import { MutationForm } from '../forms/mutation-form.tsx';
import { showsUnits } from './queries.ts';

const text = en.unit.correct;

/** Writes the text of a memory anew. */
export function CorrectUnit({ unit }: { readonly unit: Memory }) {
  return (
    <DialogButton size="xs" variant="default" label={text.open} title={text.title}>
      {(close) => <TextForm unit={unit} onDone={close} />}
    </DialogButton>
  );
}

function TextForm({ unit, onDone }: { readonly unit: Memory; readonly onDone: () => void }) {
  const [typed, setTyped] = useState(unit.text);
  const queryClient = useQueryClient();
  const correct = useMutation({
    // No correction by another user is lost: the server refuses if the text is another one by now.
    mutationFn: () => mneme.agent(unit.agent_id).memories.update(unit.id, { text: typed, expectedText: unit.text }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => showsUnits.has(queryKey[0]) });
      onDone();
    },
  });
  return (
    <MutationForm
      mutation={correct}
      submit={text.submit}
      isDisabled={typed === unit.text || typed.trim() === ''}
      onCancel={onDone}
    >
      <Textarea
        label={text.label}
        description={text.hint}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        minRows={4}
        autosize
        maxRows={16}
        data-autofocus
        required
      />
    </MutationForm>
  );
}
