import { Stack, Tabs, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { InAgent } from '../../components/selects/agent-select.tsx';
import { en } from '../../text/en.ts';
import { Conversation } from './conversation-panel.tsx';
import { OpinionList } from './opinion-list.tsx';

const route = getRouteApi('/shell/think');
const text = en.think;

/** A conversation with an agent, and what it thinks. */
export function ThinkPage() {
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <Title order={1}>{text.title}</Title>
      <InAgent
        named={agent}
        onChange={(id) => void navigate({ search: ({ view }) => ({ agent: id, ...(view && { view }) }) })}
        none={text.noAgents}
      >
        {(agentId) => <Views key={agentId} agentId={agentId} />}
      </InAgent>
    </Stack>
  );
}

function Views({ agentId }: { readonly agentId: string }) {
  const { view = 'conversation' } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (chosen: string | null) =>
    void navigate({ search: { agent: agentId, ...(chosen === 'opinions' && { view: 'opinions' as const }) } });
  return (
    <Tabs value={view} onChange={show} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="conversation">{text.tabs.conversation}</Tabs.Tab>
        <Tabs.Tab value="opinions">{text.tabs.opinions}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="conversation" pt="md">
        <Conversation agentId={agentId} />
      </Tabs.Panel>
      <Tabs.Panel value="opinions" pt="md">
        <OpinionList agentId={agentId} />
      </Tabs.Panel>
    </Tabs>
  );
}
