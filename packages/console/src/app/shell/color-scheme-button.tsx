import { Button, Menu, useMantineColorScheme } from '@mantine/core';
import { en } from '../../text/en.ts';

const schemes = ['auto', 'light', 'dark'] as const;

/** Follows the system unless somebody chooses. */
export function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" c="inherit">
          {en.shell.theme}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)} fw={scheme === colorScheme ? 700 : 400}>
            {en.shell.themes[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
