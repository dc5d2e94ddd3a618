import { Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mneme } from '../../app/client.ts';
import { DialogButton } from '../../components/forms/dialog-button.tsx';
import { MutationForm } from '../../components/forms/mutation-form.tsx';
import { useCommand } from '../../components/forms/use-command.ts';
import { readUnitsAgain } from '../../components/unit/queries.ts';
import { en } from '../../text/en.ts';

const text = en.documents.write;

/** A button, and the dialog for a text that is in no file. */
export function WriteText({ agentId }: { readonly agentId: string }) {
  return (
    <DialogButton variant="default" label={text.open} title={text.title}>
      {(close) => <TextForm agentId={agentId} onClose={close} />}
    </DialogButton>
  );
}

function TextForm({ agentId, onClose }: { readonly agentId: string; readonly onClose: () => void }) {
  const [documentId, setDocumentId] = useState('');
  const [content, setContent] = useState('');
  const queryClient = useQueryClient();
  const agent = mneme.agent(agentId);
  const refresh = () => readUnitsAgain(queryClient);
  const command = useCommand();
  const store = useMutation({
    mutationFn: () =>
      command({ agentId, documentId, content }, (options) =>
        agent.remember({ content }, { documentId, wait: false, ...options }),
      ),
    onSuccess: ({ operation_id }) => {
      onClose();
      void refresh();
      // It may be processed before its operation has been seen in the list.
      void agent.operations.wait(operation_id).then(refresh, refresh);
    },
  });
  return (
    <MutationForm mutation={store} submit={text.submit} onCancel={onClose}>
      <TextInput
        label={text.name}
        description={text.nameHint}
        value={documentId}
        onChange={({ currentTarget: { value } }) => setDocumentId(value)}
        data-autofocus
        required
      />
      <Textarea
        label={text.text}
        value={content}
        onChange={({ currentTarget: { value } }) => setContent(value)}
        autosize
        minRows={6}
        maxRows={16}
        required
      />
      <Text size="xs" c="dimmed">
        {text.hint}
      </Text>
    </MutationForm>
  );
}
