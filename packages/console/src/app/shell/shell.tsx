import { Anchor, AppShell, Burger, Group, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Fragment } from 'react';
import { ConnectionBanner } from '../../components/connection-banner.tsx';
import { en } from '../../text/en.ts';
import type { Area } from '../area.ts';
import { areas } from '../areas.ts';
import { identityOf } from '../session/identity.ts';
import { useSession } from '../session/session.ts';
import { SignInDialog } from '../sign-in/sign-in-dialog.tsx';
import { CallerMenu } from './caller-menu.tsx';
import { ColorSchemeButton } from './color-scheme-button.tsx';

const headerHeight = 56;
const navbarWidth = 220;

/** The frame of every area: what is where, and who one is. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { pathname } = useRouterState({ select: ({ location }) => location });
  const session = useSession();
  const shown = (areas as readonly Area[]).filter(({ isFor }) => isFor?.(session) ?? true);
  return (
    <AppShell
      header={{ height: headerHeight }}
      navbar={{ width: navbarWidth, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {en.shell.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={en.shell.menu} />
            <Anchor component={Link} to="/" c="inherit" underline="never" fw={700} fz="lg">
              {en.shell.name}
            </Anchor>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeButton />
            <CallerMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={en.shell.areas}>
        <Stack gap={4}>
          {shown.map(({ path, title }) => (
            <NavLink
              key={path}
              component={Link}
              to={path}
              label={title}
              variant="filled"
              active={pathname === path || pathname.startsWith(`${path}/`)}
              onClick={close}
            />
          ))}
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionBanner />
        {session.signed_in_as === null && session.memory_is_open && (
          <Text size="sm" c="dimmed" mb="sm">
            {en.shell.publicSpace}
          </Text>
        )}
        <Fragment key={identityOf(session)}>
          <Outlet />
        </Fragment>
      </AppShell.Main>
      <SignInDialog />
    </AppShell>
  );
}
