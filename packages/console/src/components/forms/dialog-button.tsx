import { Button, type ButtonProps, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
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

/** A button, and the dialog that it opens. */
export function DialogButton(props: DialogButtonProps) {
  const { label, title, children, closeLabel = en.dialog.cancel, onOpen, modalProps, ...buttonProps } = props;
  const [isOpen, { open, close }] = useDisclosure(false, onOpen && { onOpen });
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
        onClose={close}
        title={title}
        closeLabel={closeLabel}
      >
        {children(close)}
      </Dialog>
    </>
  );
}
