import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ListedAgent } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/forms/confirm-button.tsx';
import { RouteLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { Background } from './background.tsx';
import { eraseAgent, forgetAgent } from './erase-agent.ts';
import { agentQuery, statsQuery } from './queries.ts';
import { Traits } from './traits.tsx';

const route = getRouteApi('/shell/agents/$agentId');
const text = en.agents;

/** One agent: what it has, who it is. */
export function AgentPage() {
  const { agentId } = route.useParams();
  const agent = useQuery(agentQuery(agentId));
  return (
    <Stack>
      <RouteLink to="/agents">{text.back}</RouteLink>
      <Title order={1} className="user-text">
        {agentId}
      </Title>
      <Group>
        <RouteLink to="/graph" search={{ agent: agentId }}>
          {text.graph}
        </RouteLink>
        <RouteLink to="/search" search={{ agent: agentId }}>
          {text.searchMemory}
        </RouteLink>
      </Group>
      <Loaded query={agent}>
        {(found) => (found ? <Profile key={agentId} agent={found} /> : <Text role="alert">{text.missing}</Text>)}
      </Loaded>
    </Stack>
  );
}

function Profile({ agent }: { readonly agent: ListedAgent }) {
  return (
    <>
      <Counts agent={agent} />
      <Traits agent={agent} />
      <Background agent={agent} />
      <EraseAgent agentId={agent.agent_id} />
    </>
  );
}

function EraseAgent({ agentId }: { readonly agentId: string }) {
  const router = useRouter();
  const navigate = useNavigate();
  const erase = async () => {
    const { pathname } = router.latestLocation;
    await eraseAgent(agentId);
    // The erasure may take a while, and the buttons of the browser lead elsewhere meanwhile.
    if (router.latestLocation.pathname === pathname) await navigate({ to: '/agents' });
    await forgetAgent(agentId);
  };
  const { act, question, explanation } = text.erase;
  return (
    <Group>
      <ConfirmButton label={act} question={question} explanation={explanation(agentId)} act={erase} isDangerous />
    </Group>
  );
}

function Counts({ agent: { agent_id: agentId, updated_at } }: { readonly agent: ListedAgent }) {
  const { data, error } = useQuery(statsQuery(agentId));
  const counts = [
    [text.counts.units, data?.total_nodes],
    [text.counts.documents, data?.total_documents],
    [text.counts.links, data?.total_links],
    [text.counts.pending, data?.pending_operations],
    [text.counts.failed, data?.failed_operations],
  ] as const;
  return (
    <Stack gap="xs">
      {error && <ProblemAlert error={error} />}
      <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }}>
        {counts.map(([name, count]) => (
          <Paper key={name} withBorder p="sm">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text fz="xl">{count?.toLocaleString(en.locale) ?? en.none}</Text>
          </Paper>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {text.columns.activity}
        </Text>
        <Time value={updated_at} />
      </Group>
    </Stack>
  );
}
