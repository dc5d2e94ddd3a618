import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Dialog } from '../../components/forms/dialog.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { en } from '../../text/en.ts';
import { browserSession } from '../client.ts';
import { actForNoOne } from '../session/act-for.ts';
import { callerName, useSession } from '../session/session.ts';

/** Who this browser acts for, and the way out. */
export function CallerMenu() {
  const session = useSession();
  const router = useRouter();
  const signOut = useMutation({
    mutationFn: () => browserSession.signOut(),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' });
      actForNoOne(session);
    },
  });
  if (session.signed_in_as === null) {
    return (
      <Button component={Link} to="/sign-in" variant="light" size="compact-sm">
        {en.shell.signIn}
      </Button>
    );
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="light" size="compact-sm" loading={signOut.isPending}>
            {callerName(session)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {session.key?.agent_id != null && <Menu.Label>{en.shell.boundTo(String(session.key.agent_id))}</Menu.Label>}
          <Menu.Item onClick={() => signOut.mutate()}>{en.shell.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog
        opened={signOut.isError}
        onClose={signOut.reset}
        title={en.shell.notSignedOut}
        closeLabel={en.dialog.cancel}
      >
        <ProblemAlert error={signOut.error} onRetry={() => signOut.mutate()} />
      </Dialog>
    </>
  );
}
