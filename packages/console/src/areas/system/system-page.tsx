import { Stack, Tabs, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { en } from '../../text/en.ts';
import { DeadLetters } from './dead-letters.tsx';
import { ReadModels } from './read-models.tsx';
import { Services } from './services.tsx';
import { Streams } from './streams.tsx';
import { type SystemTab, systemTabs } from './tabs.ts';
import { Tasks } from './tasks.tsx';

const route = getRouteApi('/shell/system');
const text = en.system;
const panels: Readonly<Record<SystemTab, ComponentType>> = {
  services: Services,
  streams: Streams,
  'read-models': ReadModels,
  'dead-letters': DeadLetters,
  tasks: Tasks,
};

/** What runs, what is stored, what failed; for operators. */
export function SystemPage() {
  const { tab = 'services' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <Title order={1}>{text.title}</Title>
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: { tab: value as SystemTab }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List aria-label={text.sections}>
          {systemTabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {text.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {systemTabs.map((each) => {
          const Panel = panels[each];
          return (
            <Tabs.Panel key={each} value={each} pt="md">
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Stack>
  );
}
