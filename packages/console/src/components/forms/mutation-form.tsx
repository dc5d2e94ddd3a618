import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { en } from '../../text/en.ts';
import { ProblemAlert } from '../problem.tsx';
import { useBusyDialog } from './dialog.tsx';

/** What a form needs of a mutation, which takes what it sends from the state of the form. */
interface FormMutation {
  readonly mutate: () => void;
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: unknown;
}

interface MutationFormProps {
  /** Runs when the form is sent. */
  readonly mutation: FormMutation;
  /** The fields. */
  readonly children: ReactNode;
  /** Of the button that sends the form. */
  readonly submit: string;
  readonly isDisabled?: boolean;
  /** In a dialog, which it closes. */
  readonly onCancel?: () => void;
  /** Said beside the button when it has been done, where the form stays; undefined while it has edits since then. */
  readonly done?: string | undefined;
}

/** A form that says why it could not be carried out, and keeps what was typed then. */
export function MutationForm({ mutation, children, submit, isDisabled, onCancel, done }: MutationFormProps) {
  const { mutate, isPending, isSuccess, error } = mutation;
  const button = useBusyDialog(isPending);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        {error !== null && <ProblemAlert error={error} />}
        {children}
        <Group justify={onCancel ? 'flex-end' : 'flex-start'}>
          {onCancel && (
            <Button variant="default" onClick={onCancel} disabled={isPending}>
              {en.dialog.cancel}
            </Button>
          )}
          <Button ref={button} type="submit" loading={isPending} disabled={isDisabled ?? false}>
            {submit}
          </Button>
          {isSuccess && done !== undefined && <Text role="status">{done}</Text>}
        </Group>
      </Stack>
    </form>
  );
}
