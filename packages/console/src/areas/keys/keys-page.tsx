import { Group, Stack, Text, Title } from '@mantine/core';
import type { ApiKey } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RouteLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ProjectSelect } from '../../components/selects/project-select.tsx';
import { rowsOf } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { CreateKey } from './create-key.tsx';
import { KeyStateBadge } from './key-state-badge.tsx';
import { keysQuery } from './queries.ts';

const route = getRouteApi('/shell/keys');
const text = en.keys;

/** The API keys of a project. */
export function KeysPage() {
  const { project } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <Title order={1}>{text.title}</Title>
      <ProjectSelect projectId={project} onChange={(id) => void navigate({ search: { project: id } })}>
        {(projectId) => <KeyList projectId={projectId} />}
      </ProjectSelect>
    </Stack>
  );
}

function KeyList({ projectId }: { readonly projectId: number }) {
  return (
    <>
      <Group>
        <CreateKey projectId={projectId} />
      </Group>
      <Loaded query={useQuery(keysQuery(projectId))}>
        {(keys) =>
          keys.length === 0 ? (
            <Text>{text.empty}</Text>
          ) : (
            <VirtualTable label={text.title} columns={columnsFor(projectId)} rows={rowsOf(keys)} />
          )
        }
      </Loaded>
    </>
  );
}

function columnsFor(projectId: number): readonly TableColumn<ApiKey>[] {
  const { columns } = text;
  return [
    {
      key: 'name',
      title: columns.name,
      width: 200,
      cell: ({ id, name }) => (
        <RouteLink to="/keys/$keyId" params={{ keyId: String(id) }} search={{ project: projectId }} title={name}>
          {name}
        </RouteLink>
      ),
    },
    { key: 'state', title: columns.state, width: 110, cell: (key) => <KeyStateBadge apiKey={key} /> },
    { key: 'prefix', title: columns.prefix, width: 110, cell: ({ key_prefix }) => key_prefix },
    { key: 'scopes', title: columns.scopes, width: 150, cell: ({ scopes }) => scopes.join(', ') || en.none },
    { key: 'agent', title: columns.agent, width: 120, cell: ({ agent_id }) => agent_id ?? text.anyAgent },
    {
      key: 'requests',
      title: columns.requests,
      width: 100,
      isNumber: true,
      cell: ({ request_count }) => request_count.toLocaleString(en.locale),
    },
    {
      key: 'rate-limit',
      title: columns.rateLimit,
      width: 100,
      isNumber: true,
      cell: ({ rate_limit }) => rate_limit.toLocaleString(en.locale),
    },
    { key: 'last-used', title: columns.lastUsed, width: 180, cell: (key) => <Time value={key.last_used_at} /> },
    {
      key: 'expires',
      title: columns.expires,
      width: 180,
      cell: ({ expires_at }) => (expires_at === null ? text.never : <Time value={expires_at} />),
    },
  ];
}
