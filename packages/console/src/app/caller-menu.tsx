import { Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { en } from '../text/en.ts';
import { mneme } from './client.ts';
import { useSession } from './session.ts';

/** Who this browser acts for, and the way out. */
export function CallerMenu() {
  const session = useSession();
  const router = useRouter();
  const queryClient = useQueryClient();
  const signOut = useMutation({
    mutationFn: () => mneme.session.signOut(),
    onSuccess: async () => {
      await router.navigate({ to: '/sign-in' });
      queryClient.clear();
    },
  });
  if (session.signed_in_as === null) {
    return (
      <Button component={Link} to="/sign-in" variant="light" size="compact-sm">
        {en.shell.signIn}
      </Button>
    );
  }
  const name = session.key ? en.shell.key(session.key.id) : en.shell.user(session.user_id ?? 0);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="light" size="compact-sm" loading={signOut.isPending}>
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.key?.agent_id != null && <Menu.Label>{en.shell.boundTo(String(session.key.agent_id))}</Menu.Label>}
        <Menu.Item onClick={() => signOut.mutate()}>{en.shell.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
