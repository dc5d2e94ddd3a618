import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { en } from '../../text/en.ts';
import { ProblemAlert } from '../problem.tsx';
import { useBusyDialog } from './dialog.tsx';
import { DialogButton } from './dialog-button.tsx';

interface ConfirmButtonProps extends Omit<ButtonProps, 'children' | 'title'> {
  readonly label: string;
  /** What is asked. */
  readonly question: string;
  /** What happens then, and whether it can be undone. */
  readonly explanation: string;
  /** Done when one agrees; the dialog stays open and says why if it fails. */
  readonly act: () => Promise<unknown>;
  /** Shown in red. */
  readonly isDangerous?: boolean;
  /** Of the button by which one agrees; `label` unless given. */
  readonly agree?: string;
  /** Of the other one; "Cancel" unless given. */
  readonly disagree?: string;
  /** What it is about. */
  readonly children?: ReactNode;
}

/** A button for what should not happen by mistake. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, question, explanation, act, isDangerous, agree, disagree, children, ...buttonProps } = props;
  const { cancel } = en.dialog;
  return (
    <DialogButton
      variant="default"
      {...buttonProps}
      label={label}
      title={question}
      closeLabel={disagree ?? cancel}
      modalProps={{ closeOnClickOutside: true }}
    >
      {(close) => (
        <Confirmation
          agree={agree ?? label}
          disagree={disagree ?? cancel}
          isDangerous={isDangerous ?? false}
          act={act}
          onClose={close}
        >
          <Text className="user-text">{explanation}</Text>
          {children}
        </Confirmation>
      )}
    </DialogButton>
  );
}

interface ConfirmationProps extends Required<Pick<ConfirmButtonProps, 'agree' | 'disagree' | 'isDangerous' | 'act'>> {
  readonly children: ReactNode;
  readonly onClose: () => void;
}

function Confirmation({ agree, disagree, isDangerous, act, children, onClose }: ConfirmationProps) {
  const acting = useMutation({ mutationFn: act, onSuccess: onClose });
  const button = useBusyDialog(acting.isPending);
  const color = isDangerous ? { color: 'red' } : {};
  return (
    <Stack>
      {acting.isError && <ProblemAlert error={acting.error} />}
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={acting.isPending} data-autofocus>
          {disagree}
        </Button>
        <Button ref={button} {...color} loading={acting.isPending} onClick={() => acting.mutate()}>
          {agree}
        </Button>
      </Group>
    </Stack>
  );
}
