import { Group, Stack, Text, Title } from '@mantine/core';
import type { ListedWebhook, Table } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { RouteLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ProjectSelect } from '../../components/selects/project-select.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { rowsOf } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { CreateWebhook } from './create-webhook.tsx';
import { tablesQuery, webhooksQuery } from './queries.ts';
import { CreateTable } from './table/create-table.tsx';

const route = getRouteApi('/shell/webhooks');
const text = en.webhooks;

/** The webhooks of a project, and the tables that they fill. */
export function WebhooksPage() {
  const { project } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <Title order={1}>{text.title}</Title>
      <ProjectSelect projectId={project} onChange={(id) => void navigate({ search: { project: id } })}>
        {(projectId) => (
          <>
            <WebhookList projectId={projectId} />
            <TableList projectId={projectId} />
          </>
        )}
      </ProjectSelect>
    </Stack>
  );
}

interface InProjectProps {
  readonly projectId: number;
}

function WebhookList({ projectId }: InProjectProps) {
  return (
    <>
      <Group>
        <CreateWebhook projectId={projectId} />
      </Group>
      <Loaded query={useQuery(webhooksQuery(projectId))}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Text>{text.empty}</Text>
          ) : (
            <VirtualTable label={text.title} columns={webhookColumns(projectId)} rows={rowsOf(webhooks)} />
          )
        }
      </Loaded>
    </>
  );
}

function TableList({ projectId }: InProjectProps) {
  return (
    <>
      <Group justify="space-between">
        <Title order={2}>{en.tables.title}</Title>
        <CreateTable projectId={projectId} />
      </Group>
      <Loaded query={useQuery(tablesQuery(projectId))}>
        {(tables) =>
          tables.length === 0 ? (
            <Text>{en.tables.empty}</Text>
          ) : (
            <VirtualTable label={en.tables.title} columns={tableColumns(projectId)} rows={rowsOf(tables)} />
          )
        }
      </Loaded>
    </>
  );
}

function webhookColumns(projectId: number): readonly TableColumn<ListedWebhook>[] {
  const { columns, states } = text;
  return [
    {
      key: 'name',
      title: columns.name,
      width: 220,
      cell: ({ id, name }) => (
        <RouteLink to="/webhooks/$webhookId" params={{ webhookId: String(id) }} search={{ project: projectId }}>
          {name}
        </RouteLink>
      ),
    },
    {
      key: 'state',
      title: columns.state,
      width: 110,
      cell: ({ is_active }) => (
        <StateBadge tone={is_active ? 'good' : 'neutral'}>{is_active ? states.active : states.inactive}</StateBadge>
      ),
    },
    {
      key: 'table',
      title: columns.table,
      width: 180,
      cell: ({ table_id, table_display_name }) =>
        table_id === null ? (
          en.none
        ) : (
          <RouteLink
            to="/webhooks/tables/$tableId"
            params={{ tableId: String(table_id) }}
            search={{ project: projectId }}
          >
            {table_display_name ?? table_id}
          </RouteLink>
        ),
    },
    {
      key: 'deliveries',
      title: columns.deliveries,
      width: 110,
      isNumber: true,
      cell: ({ totalCalls }) => totalCalls.toLocaleString(en.locale),
    },
    { key: 'last', title: columns.last, width: 190, cell: ({ lastTriggered }) => <Time value={lastTriggered} /> },
  ];
}

function tableColumns(projectId: number): readonly TableColumn<Table>[] {
  const { columns } = en.tables;
  return [
    {
      key: 'name',
      title: columns.name,
      width: 220,
      cell: ({ id, display_name }) => (
        <RouteLink to="/webhooks/tables/$tableId" params={{ tableId: String(id) }} search={{ project: projectId }}>
          {display_name}
        </RouteLink>
      ),
    },
    {
      key: 'columns',
      title: columns.columns,
      width: 100,
      isNumber: true,
      cell: (table) => table.columns.length.toLocaleString(en.locale),
    },
    {
      key: 'rows',
      title: columns.rows,
      width: 110,
      isNumber: true,
      cell: ({ row_count }) => row_count.toLocaleString(en.locale),
    },
    { key: 'created', title: columns.created, width: 190, cell: ({ created_at }) => <Time value={created_at} /> },
  ];
}
