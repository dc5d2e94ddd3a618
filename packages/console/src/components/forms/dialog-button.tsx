import { Button, type ButtonProps, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from 'react';
import { en } from '../../text/en.ts';
import { Dialog } from './dialog.tsx';

interface DialogButtonProps extends Omit<ButtonProps, 'children' | 'title'> {
  /** Of the button. */
  readonly label: string;
  /** Of the dialog. */
  readonly title: string;
  /** What is in the dialog, which forgets everything when it closes. @param close closes it */
  readonly children: (close: () => void) => ReactNode;
  /** How its cross is called; "Cancel" unless given. */
  readonly closeLabel?: string;
  readonly onOpen?: () => void;
  readonly modalProps?: Pick<ModalProps, 'size' | 'closeOnClickOutside'>;
}

const SetBusy = createContext<(isBusy: boolean) => void>(() => undefined);

/** Keeps the dialog open, if it is in one, while an action runs: what comes of it is seen there only. */
export function useBusyDialog(isBusy: boolean): void {
  const setBusy = useContext(SetBusy);
  useLayoutEffect(() => {
    setBusy(isBusy);
    return () => setBusy(false);
  }, [isBusy, setBusy]);
}

/** A button, and the dialog that it opens. */
export function DialogButton(props: DialogButtonProps) {
  const { label, title, children, closeLabel = en.dialog.cancel, onOpen, modalProps, ...buttonProps } = props;
  const [isOpen, { open, close }] = useDisclosure(false, onOpen && { onOpen });
  const [isBusy, setBusy] = useState(false);
  return (
    <>
      <Button {...buttonProps} onClick={open}>
        {label}
      </Button>
      <Dialog
        // What was typed is not lost by a click beside it.
        closeOnClickOutside={false}
        {...modalProps}
        opened={isOpen}
        onClose={() => !isBusy && close()}
        title={title}
        closeLabel={closeLabel}
        isBusy={isBusy}
      >
        <SetBusy value={setBusy}>{children(close)}</SetBusy>
      </Dialog>
    </>
  );
}
