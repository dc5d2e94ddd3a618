import { Alert, Container, Stack, Title } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { en } from '../../text/en.ts';
import { SignInForm } from './sign-in-form.tsx';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { failed, to = '/' } = route.useSearch();
  const router = useRouter();
  return (
    <Container component="main" size="xs" py="xl">
      <Stack>
        <Title order={1}>{en.signIn.title}</Title>
        {failed && <Alert color="red" role="alert" title={en.signIn.failed} />}
        <SignInForm to={to} onDone={() => router.history.push(to)} />
      </Stack>
    </Container>
  );
}
