import { Button, Text, UnstyledButton } from '@mantine/core';
import type { Row, Table } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mneme } from '../../../app/client.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { ProblemAlert } from '../../../components/problem.tsx';
import { useRefreshOn } from '../../../components/refresh/use-refresh-on.ts';
import { rowsOf, usePages } from '../../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../../components/tables/virtual-table.tsx';
import { Time } from '../../../components/time.tsx';
import { en } from '../../../text/en.ts';
import { type Arrangement, arrange } from './arrange-rows.ts';
import { textOf, valueIn } from './row-values.ts';

interface TableRowsProps {
  readonly table: Table;
  readonly arrangement: Arrangement;
  readonly onSort: (changes: Partial<Arrangement>) => void;
  readonly onOpen: (row: Row) => void;
}

const text = en.tables;
/** The most rows that are sorted and filtered here. */
const maxArranged = 10_000;
const partSize = 1_000;
/** The least time between two readings of a table that receives rows, in milliseconds: of pages, and of the most rows. */
const rowsPauseMs = 1_000;
const arrangedPauseMs = 10_000;
const shownLength = 200;
const numberWidth = 90;
const timeWidth = 190;
const columnWidth = 180;

/** All rows, the newest first, read as they come into view. */
export function NewestRows(props: TableRowsProps) {
  const { table } = props;
  const key = ['tables', 'rows', table.id];
  useRefreshOn(table.row_count, key, rowsPauseMs);
  const rows = usePages(key, async ({ signal, ...page }) => {
    const reply = await mneme.tables.rowPage(table.id, { ...page, exactNumbers: true, signal });
    return { items: reply.rows, total: reply.total };
  });
  return (
    <>
      {rows.error !== undefined && <ProblemAlert error={rows.error} onRetry={rows.refetch} />}
      <VirtualTable label={table.display_name} columns={columnsOf(props)} rows={rows} />
    </>
  );
}

/** Rows sorted or filtered in the browser, as many of the newest as it takes without effort. */
export function ArrangedRows(props: TableRowsProps) {
  const { table } = props;
  const queryKey = ['tables', 'newest', table.id];
  useRefreshOn(table.row_count, queryKey, arrangedPauseMs);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readNewest(table.id, signal),
    // They take much room, and are soon out of date.
    gcTime: 0,
  });
  return <Loaded query={query}>{(newest) => <FoundRows {...props} newest={newest} />}</Loaded>;
}

function FoundRows({ newest, ...props }: TableRowsProps & { readonly newest: readonly Row[] }) {
  const { table, arrangement } = props;
  const type = table.columns.find(({ column_name }) => column_name === arrangement.sortBy)?.type;
  const found = useMemo(() => arrange(newest, arrangement, type), [newest, arrangement, type]);
  return (
    <>
      <Text size="sm" role="status">
        {text.matches(found.length)}
      </Text>
      <Text size="sm">{text.partial(newest.length, table.row_count)}</Text>
      <VirtualTable label={table.display_name} columns={columnsOf(props)} rows={rowsOf(found)} />
    </>
  );
}

async function readNewest(tableId: number, signal: AbortSignal): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of mneme.tables.rows(tableId, { pageSize: partSize, exactNumbers: true, signal })) {
    rows.push(row);
    if (rows.length >= maxArranged) break;
  }
  return rows;
}

function columnsOf({ table: { columns }, arrangement, onSort, onOpen }: TableRowsProps): readonly TableColumn<Row>[] {
  return [
    {
      key: 'row-number',
      title: text.number,
      width: numberWidth,
      cell: (row) => (
        <Button size="compact-sm" variant="default" aria-label={text.show(row.id)} onClick={() => onOpen(row)}>
          {row.id}
        </Button>
      ),
    },
    { key: 'row-time', title: text.received, width: timeWidth, cell: (row) => <Time value={row.created_at} /> },
    ...columns.map(({ column_name: name, display_name, type }) => {
      const isSorted = arrangement.sortBy === name;
      const direction = arrangement.isDescending ? ('descending' as const) : ('ascending' as const);
      return {
        key: `column-${name}`,
        title: (
          <UnstyledButton
            fw={700}
            fz="sm"
            onClick={() => onSort(nextSort(arrangement, name))}
            title={text.sortBy(display_name)}
          >
            {display_name} {isSorted && (arrangement.isDescending ? '↓' : '↑')}
            <Text span size="xs" c="dimmed" display="block">
              {type}
            </Text>
          </UnstyledButton>
        ),
        width: columnWidth,
        isNumber: type === 'number',
        sort: isSorted ? direction : undefined,
        cell: (row: Row) => textOf(valueIn(row, name)).slice(0, shownLength),
      };
    }),
  ];
}

/** Ascending, descending, then as before. */
function nextSort({ sortBy, isDescending }: Arrangement, name: string): Partial<Arrangement> {
  if (sortBy !== name) return { sortBy: name, isDescending: false };
  return isDescending ? { sortBy: undefined } : { isDescending: true };
}
