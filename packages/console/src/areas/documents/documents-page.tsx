import { Stack, Text, TextInput, Title } from '@mantine/core';
import type { ListedDocument } from '@mneme/client';
import { getRouteApi } from '@tanstack/react-router';
import { mneme } from '../../app/client.ts';
import { useTypedSearch } from '../../components/forms/use-typed-search.ts';
import { RouteLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { InAgent } from '../../components/selects/agent-select.tsx';
import { usePages } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { ImportPanel } from './import-panel.tsx';
import { OperationList } from './operation-list.tsx';

const route = getRouteApi('/shell/documents');
const text = en.documents;

/** What an agent has read, and what it is reading. */
export function DocumentsPage() {
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <Title order={1}>{text.title}</Title>
      <InAgent named={agent} onChange={(id) => void navigate({ search: { agent: id } })} none={text.noAgents}>
        {(agentId) => (
          <>
            <ImportPanel agentId={agentId} />
            <OperationList agentId={agentId} />
            <DocumentList key={agentId} agentId={agentId} />
          </>
        )}
      </InAgent>
    </Stack>
  );
}

function DocumentList({ agentId }: { readonly agentId: string }) {
  const { q } = route.useSearch();
  const rows = usePages(['documents', 'list', agentId, q], (request) =>
    mneme.agent(agentId).documents.page({ ...request, q }),
  );
  return (
    <Stack component="section" aria-label={text.agentTitle(agentId)}>
      <DocumentSearch />
      {rows.error !== undefined && <ProblemAlert error={rows.error} onRetry={rows.refetch} />}
      {rows.total === undefined && rows.error === undefined && <Loading />}
      {rows.total === 0 && <Text>{q === undefined ? text.empty : text.noMatch}</Text>}
      {rows.total !== undefined && rows.total > 0 && (
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {text.total(rows.total)}
          </Text>
          <VirtualTable label={text.agentTitle(agentId)} columns={columnsFor(agentId)} rows={rows} />
        </>
      )}
    </Stack>
  );
}

function DocumentSearch() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const field = useTypedSearch(q, (part) => {
    void navigate({ search: ({ agent }) => ({ ...(agent && { agent }), ...(part && { q: part }) }), replace: true });
  });
  return <TextInput label={text.search} placeholder={text.searchHint} maw={400} {...field} />;
}

function columnsFor(agentId: string): readonly TableColumn<ListedDocument>[] {
  const { columns } = text;
  return [
    {
      key: 'name',
      title: columns.name,
      width: 260,
      cell: ({ id }) => (
        <RouteLink to="/documents/view" search={{ agent: agentId, id }} title={id}>
          {id}
        </RouteLink>
      ),
    },
    {
      key: 'memories',
      title: columns.memories,
      width: 100,
      isNumber: true,
      cell: ({ memory_unit_count }) => memory_unit_count.toLocaleString(en.locale),
    },
    {
      key: 'length',
      title: columns.length,
      width: 110,
      isNumber: true,
      cell: ({ text_length }) => text_length.toLocaleString(en.locale),
    },
    { key: 'created', title: columns.created, width: 190, cell: ({ created_at }) => <Time value={created_at} /> },
    { key: 'updated', title: columns.updated, width: 190, cell: ({ updated_at }) => <Time value={updated_at} /> },
  ];
}
