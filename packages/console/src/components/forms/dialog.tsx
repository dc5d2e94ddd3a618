import { Modal, type ModalProps } from '@mantine/core';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useIsOver } from '../../app/session/identity.ts';

interface DialogProps extends Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'closeOnClickOutside'> {
  /** How its cross is called. */
  readonly closeLabel: string;
  readonly children: ReactNode;
}

/** Keeps what it is called in open, until what it returns is called. */
type KeepOpen = () => () => void;

const KeepOpenContext = createContext<KeepOpen>(() => () => undefined);
export const KeepOpenProvider = KeepOpenContext.Provider;

/** A dialog, which Escape leaves as it is while the one for signing in, or one opened from it, is above it. */
export function Dialog({ closeLabel, onClose, children, ...props }: DialogProps) {
  const isOver = useIsOver();
  const [isKept, keepOpen] = useKept();
  useKeepOpen(props.opened);
  return (
    <Modal
      {...props}
      onClose={() => !isKept && onClose()}
      closeOnEscape={!isOver}
      closeButtonProps={{ 'aria-label': closeLabel, disabled: isKept }}
    >
      <KeepOpenProvider value={keepOpen}>{children}</KeepOpenProvider>
    </Modal>
  );
}

/** Whether something in a `KeepOpenProvider` keeps it open, and what to give to the provider. */
export function useKept(): readonly [isKept: boolean, keepOpen: KeepOpen] {
  const [count, setCount] = useState(0);
  const keepOpen = useCallback(() => {
    setCount((before) => before + 1);
    return () => setCount((before) => before - 1);
  }, []);
  return [count > 0, keepOpen];
}

/**
 * Keeps the dialog open, if it is in one, while an action runs: what comes of it is seen there only.
 * @returns for the button of the action, which gets the focus back that it loses while it is disabled
 */
export function useBusyDialog(isBusy: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useKeepOpen(isBusy);
  useEffect(() => {
    if (!isBusy) return;
    return () => {
      if (document.activeElement === document.body) button.current?.focus();
    };
  }, [isBusy]);
  return button;
}

function useKeepOpen(isKept: boolean): void {
  const keepOpen = useContext(KeepOpenContext);
  useLayoutEffect(() => (isKept ? keepOpen() : undefined), [isKept, keepOpen]);
}
