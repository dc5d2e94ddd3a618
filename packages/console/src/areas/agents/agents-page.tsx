import { Button, Group, ScrollArea, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import type { ListedAgent } from '@mneme/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTypedSearch } from '../../components/forms/use-typed-search.ts';
import { RouteLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { CreateAgent } from './create-agent.tsx';
import { agentsQuery } from './queries.ts';

const route = getRouteApi('/shell/agents');
const text = en.agents;

/** The agents of the space, those first that changed last. */
export function AgentsPage() {
  const { q = '' } = route.useSearch();
  const agents = useInfiniteQuery(agentsQuery(q));
  const found = agents.data?.pages.flatMap((page) => page.agents) ?? [];
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1}>{text.title}</Title>
        <CreateAgent />
      </Group>
      <AgentSearch />
      {agents.isError && <ProblemAlert error={agents.error} onRetry={() => void agents.refetch()} />}
      {agents.isPending && <Loading />}
      {agents.data && found.length === 0 && <Text>{q === '' ? text.empty : text.noMatch}</Text>}
      {agents.data && found.length === 0 && q === '' && (
        <Text>
          {en.tour.invite} <RouteLink to="/tour">{en.tour.inviteLink}</RouteLink>
        </Text>
      )}
      {found.length > 0 && (
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {text.total(agents.data?.pages[0]?.total ?? 0)}
          </Text>
          <AgentTable agents={found} />
        </>
      )}
      {agents.hasNextPage && (
        <Button variant="default" onClick={() => void agents.fetchNextPage()} loading={agents.isFetchingNextPage}>
          {text.more}
        </Button>
      )}
    </Stack>
  );
}

function AgentSearch() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const field = useTypedSearch(q, (part) => {
    void navigate({ search: part === '' ? {} : { q: part }, replace: true });
  });
  return <TextInput label={text.search} placeholder={text.searchHint} maw={400} {...field} />;
}

function AgentTable({ agents }: { readonly agents: readonly ListedAgent[] }) {
  return (
    <ScrollArea type="auto" tabIndex={0} role="region" aria-label={text.title}>
      <Table highlightOnHover miw={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.columns.name}</Table.Th>
            <Table.Th ta="right">{text.columns.memories}</Table.Th>
            <Table.Th ta="right">{text.columns.documents}</Table.Th>
            <Table.Th>{text.columns.activity}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {agents.map((agent) => (
            <AgentRow key={agent.agent_id} agent={agent} />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

function AgentRow({ agent }: { readonly agent: ListedAgent }) {
  const { agent_id: agentId, updated_at, memory_unit_count: units, document_count: documents } = agent;
  return (
    <Table.Tr>
      <Table.Td>
        <RouteLink to="/agents/$agentId" params={{ agentId }} className="user-text">
          {agentId}
        </RouteLink>
      </Table.Td>
      <Table.Td ta="right">{units?.toLocaleString(en.locale) ?? en.none}</Table.Td>
      <Table.Td ta="right">{documents?.toLocaleString(en.locale) ?? en.none}</Table.Td>
      <Table.Td>
        <Time value={updated_at} />
      </Table.Td>
    </Table.Tr>
  );
}
