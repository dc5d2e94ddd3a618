import { Modal, Stack, Text } from '@mantine/core';
import { focusManager } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { en } from '../../text/en.ts';
import { useIsOver } from '../session/identity.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Above the dialogs of pages. */
const zIndex = 300;

/** Asks to sign in again when a session has ended, over the page, which keeps what has been typed. */
export function SignInDialog() {
  const isOver = useIsOver();
  const to = useRouterState({ select: ({ location }) => location.href });
  // Nothing is read again and again meanwhile: it would only be refused.
  useEffect(() => {
    focusManager.setFocused(isOver ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [isOver]);
  return (
    <Modal opened={isOver} onClose={() => undefined} title={en.signIn.expired} withCloseButton={false} zIndex={zIndex}>
      <Stack>
        <Text size="sm">{en.signIn.expiredHint}</Text>
        <SignInForm to={to} />
      </Stack>
    </Modal>
  );
}
