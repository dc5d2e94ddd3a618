import { Stack, Text } from '@mantine/core';
import type { ListedMemory } from '@mneme/client';
import { mneme } from '../../app/client.ts';
import { RouteLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemAlert } from '../../components/problem.tsx';
import { usePages } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';

const text = en.think.opinions;

const columnsFor = (agentId: string): readonly TableColumn<ListedMemory>[] => [
  {
    key: 'text',
    title: text.columns.text,
    width: 420,
    cell: ({ id, text: opinion }) => (
      <RouteLink to="/think/opinions/$unitId" params={{ unitId: id }} search={{ agent: agentId }} title={opinion}>
        {opinion}
      </RouteLink>
    ),
  },
  { key: 'date', title: text.columns.date, width: 180, cell: ({ date }) => <Time value={date} /> },
];

/** What the agent thinks, the newest first. */
export function OpinionList({ agentId }: { readonly agentId: string }) {
  const rows = usePages(['think', 'opinions', agentId], (request) =>
    mneme.agent(agentId).memories.page({ ...request, type: 'opinion' }),
  );
  const { total, error } = rows;
  return (
    <Stack>
      {error !== undefined && <ProblemAlert error={error} onRetry={rows.refetch} />}
      {total === undefined && error === undefined && <Loading />}
      {total === 0 && <Text>{text.empty}</Text>}
      {total !== undefined && total > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {text.total(total)}
          </Text>
          <VirtualTable label={en.think.tabs.opinions} columns={columnsFor(agentId)} rows={rows} />
        </>
      )}
    </Stack>
  );
}
