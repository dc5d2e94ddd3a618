import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import type { Session } from '@mneme/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { browserSession } from '../client.ts';
import { actFor } from '../session/act-for.ts';
import { browserSessionQuery, callerName } from '../session/session.ts';
import { takeSignInCodes } from './sign-in-code.ts';

interface SignInFormProps {
  /** The path that the identity provider leads back to. */
  readonly to: string;
  /** Called when the page acts for whom it should. */
  readonly onDone?: () => void;
}

/** All ways to sign in, and to go on as whom the browser acts for already. */
export function SignInForm({ to, onDone }: SignInFormProps) {
  const { data: browser } = useQuery(browserSessionQuery);
  const isSignedIn = browser !== undefined && browser.signed_in_as !== null;
  const [credential, setCredential] = useState('');
  const proceed = (session: Session) => {
    actFor(session);
    onDone?.();
  };
  const { mutate, ...signIn } = useMutation({
    mutationFn: (given: Parameters<typeof browserSession.signIn>[0]) => browserSession.signIn(given),
    onSuccess: proceed,
  });
  // Before the page is drawn, so that no one sees the code.
  useLayoutEffect(() => takeSignInCodes((code) => mutate({ code })), [mutate]);
  return (
    <Stack>
      {signIn.isError && <ProblemAlert error={signIn.error} />}
      {isSignedIn && <Continue browser={browser} onContinue={proceed} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ credential });
        }}
      >
        <Stack>
          <PasswordInput
            label={en.signIn.credential}
            description={en.signIn.credentialHint}
            value={credential}
            onChange={(event) => setCredential(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <Button type="submit" loading={signIn.isPending}>
            {en.signIn.submit}
          </Button>
        </Stack>
      </form>
      {browser?.identity_provider && (
        <Button component="a" variant="default" href={`/api/v3/session/provider?${new URLSearchParams({ to })}`}>
          {en.signIn.provider}
        </Button>
      )}
      <Text size="sm">{en.signIn.link}</Text>
      {browser?.memory_is_open && !isSignedIn && <Continue browser={browser} onContinue={proceed} />}
    </Stack>
  );
}

interface ContinueProps {
  readonly browser: Session;
  readonly onContinue: (session: Session) => void;
}

/** To go on without a credential: as who is signed in, or as no one where memory is open. */
function Continue({ browser, onContinue }: ContinueProps) {
  const isSignedIn = browser.signed_in_as !== null;
  const name = callerName(browser);
  return (
    <Alert color="blue" title={isSignedIn ? en.signIn.signedIn(name) : en.signIn.openTitle}>
      <Stack align="flex-start" gap="xs">
        {!isSignedIn && en.signIn.open}
        <Button variant="default" onClick={() => onContinue(browser)}>
          {isSignedIn ? en.signIn.continueAs(name) : en.signIn.continueOpen}
        </Button>
      </Stack>
    </Alert>
  );
}
