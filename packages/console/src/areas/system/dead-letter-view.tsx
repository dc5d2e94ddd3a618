import { Button, Group, Stack, Text } from '@mantine/core';
import type { DeadLetter } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { Facts } from '../../components/facts.tsx';
import { ConfirmButton } from '../../components/forms/confirm-button.tsx';
import { useBusyDialog } from '../../components/forms/dialog.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';

interface DeadLetterViewProps {
  readonly deadLetter: DeadLetter;
  /** The dead letter is gone. */
  readonly onSettled: () => void;
}

const text = en.system.deadLetters;

/** Why an event failed, and the two ways on. */
export function DeadLetterView({ deadLetter, onSettled }: DeadLetterViewProps) {
  const { id, reason, failed_at, reader, read_model, aggregate, type, subject, position } = deadLetter;
  const queryClient = useQueryClient();
  const settled = async () => {
    // Closed when the list is without it, so that no one opens it again.
    await queryClient.invalidateQueries({ queryKey: ['system'] });
    onSettled();
  };
  const retry = useMutation({ mutationFn: () => mneme.system.retryDeadLetter(id), onSuccess: settled });
  const button = useBusyDialog(retry.isPending);
  return (
    <Stack>
      {retry.isError && <ProblemAlert error={retry.error} />}
      <Text className="user-text">{reason}</Text>
      <Facts
        facts={[
          [text.columns.time, <Time key="time" value={failed_at} />],
          [text.columns.reader, reader],
          [text.columns.type, type ?? en.none],
          [text.readModel, read_model ?? text.nothing],
          [text.columns.waits, aggregate ?? text.nothing],
          [text.position, position],
          [text.subject, subject],
        ]}
      />
      <Text size="sm">{text.retryHint}</Text>
      <Group justify="flex-end">
        <ConfirmButton
          label={text.discard}
          disabled={retry.isPending}
          question={text.discardQuestion(id)}
          explanation={text.discardExplanation}
          act={async () => {
            await mneme.system.discardDeadLetter(id);
            await settled();
          }}
          isDangerous
        />
        <Button ref={button} loading={retry.isPending} onClick={() => retry.mutate()} data-autofocus>
          {text.retry}
        </Button>
      </Group>
    </Stack>
  );
}
