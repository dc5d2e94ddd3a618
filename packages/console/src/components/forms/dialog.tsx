import { Modal, type ModalProps } from '@mantine/core';
import { useIsOver } from '../../app/session/identity.ts';

interface DialogProps
  extends Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'children' | 'size' | 'closeOnClickOutside'> {
  /** How its cross is called. */
  readonly closeLabel: string;
  /** Its cross cannot be used. */
  readonly isBusy?: boolean;
}

/** A dialog, which Escape leaves as it is while the one for signing in is above it. */
export function Dialog({ closeLabel, isBusy = false, ...props }: DialogProps) {
  const isOver = useIsOver();
  return <Modal {...props} closeOnEscape={!isOver} closeButtonProps={{ 'aria-label': closeLabel, disabled: isBusy }} />;
}
