import { Alert, Button, Container, PasswordInput, Stack, Text, Title } from '@mantine/core';
import type { Session } from '@mneme/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { mneme } from '../client.ts';
import { sessionKey, useSession } from '../session.ts';
import { signInCode } from '../sign-in-code.ts';

const route = getRouteApi('/sign-in');
/** A code works once, also if this page is shown again. */
let unusedCode = signInCode;

export function SignInPage() {
  const { expired, failed, to } = route.useSearch();
  const session = useSession();
  const goBack = useGoBack();
  const signIn = useSignIn(goBack);
  const [credential, setCredential] = useState('');
  useEffect(() => {
    const code = unusedCode;
    unusedCode = undefined;
    if (code !== undefined) signIn.mutate({ code });
  }, [signIn.mutate]);
  return (
    <Container component="main" size="xs" py="xl">
      <Stack>
        <Title order={1}>{en.signIn.title}</Title>
        {expired && !signIn.isError && <Alert color="yellow" title={en.signIn.expired} />}
        {failed && !signIn.isError && <Alert color="red" role="alert" title={en.signIn.failed} />}
        {signIn.isError && <ProblemAlert error={signIn.error} />}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            signIn.mutate({ credential });
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
        {session.identity_provider && (
          <Button
            component="a"
            variant="default"
            href={`/api/v3/session/provider?${new URLSearchParams({ to: to ?? '/' })}`}
          >
            {en.signIn.provider}
          </Button>
        )}
        <Text size="sm">{en.signIn.link}</Text>
        <OpenMemory session={session} onContinue={goBack} />
      </Stack>
    </Container>
  );
}

function OpenMemory({ session, onContinue }: { session: Session; onContinue: () => void }) {
  if (!session.memory_is_open) return null;
  return (
    <Alert color="blue" title={en.signIn.openTitle}>
      <Stack align="flex-start" gap="xs">
        {en.signIn.open}
        <Button variant="default" onClick={onContinue}>
          {en.signIn.continueOpen}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Goes where one was before signing in. */
function useGoBack() {
  const { to = '/' } = route.useSearch();
  const router = useRouter();
  return () => router.history.push(to);
}

function useSignIn(onSuccess: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (credential: Parameters<typeof mneme.session.signIn>[0]) => mneme.session.signIn(credential),
    onSuccess: (session) => {
      // What was seen before was another caller's.
      queryClient.clear();
      queryClient.setQueryData(sessionKey, session);
      onSuccess();
    },
  });
}
