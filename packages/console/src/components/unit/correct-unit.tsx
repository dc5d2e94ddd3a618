import { Textarea } from '@mantine/core';
import type { Memory } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { en } from '../../text/en.ts';
import { DialogButton } from '../forms/dialog-button.tsx';
import { MutationForm } from '../forms/mutation-form.tsx';
import { readUnitsAgain } from './queries.ts';

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
  // The unit is read again while one types.
  const [before] = useState(unit.text);
  const [typed, setTyped] = useState(before);
  const queryClient = useQueryClient();
  const correct = useMutation({
    // No correction by another user is lost: the server refuses if the text is another one by now.
    mutationFn: () => mneme.agent(unit.agent_id).memories.update(unit.id, { text: typed, expectedText: before }),
    onSuccess: async () => {
      await readUnitsAgain(queryClient);
      onDone();
    },
  });
  return (
    <MutationForm
      mutation={correct}
      submit={text.submit}
      isDisabled={typed === before || typed.trim() === ''}
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
