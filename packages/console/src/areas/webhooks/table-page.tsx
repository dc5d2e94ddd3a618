import { Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Row, Table } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { RouteLink } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { en } from '../../text/en.ts';
import { tableQuery } from './queries.ts';
import { type Arrangement, isArranged, newestFirst } from './table/arrange-rows.ts';
import { ExportTable } from './table/export-table.tsx';
import { RowDialog } from './table/row-dialog.tsx';
import { ArrangedRows, NewestRows } from './table/table-rows.tsx';

const route = getRouteApi('/shell/webhooks/tables/$tableId');
const text = en.tables;
const typingMs = 200;
const anyColumn = '';

/** A table that grows with the deliveries of its webhooks. */
export function TablePage() {
  const { tableId } = route.useParams();
  const { project } = route.useSearch();
  const query = useQuery(tableQuery(Number(tableId)));
  return (
    <Stack>
      <RouteLink to="/webhooks" search={project === undefined ? {} : { project }}>
        {text.back}
      </RouteLink>
      <Loaded query={query}>{(table) => <TableView key={table.id} table={table} />}</Loaded>
    </Stack>
  );
}

function TableView({ table }: { readonly table: Table }) {
  const [arrangement, setArrangement] = useState(newestFirst);
  const [opened, setOpened] = useState<Row>();
  const [settled] = useDebouncedValue(arrangement, typingMs);
  const set = (changes: Partial<Arrangement>) => setArrangement((current) => ({ ...current, ...changes }));
  const columns = [
    { value: anyColumn, label: text.anyColumn },
    ...table.columns.map(({ column_name, display_name }) => ({ value: column_name, label: display_name })),
  ];
  return (
    <>
      <Group justify="space-between">
        <Title order={1} className="user-text">
          {table.display_name}
        </Title>
        <ExportTable table={table} />
      </Group>
      <Text size="sm" c="dimmed" aria-live="polite">
        {text.total(table.row_count, table.columns.length)}
      </Text>
      <Group align="end">
        <TextInput
          label={text.filter}
          placeholder={text.filterHint}
          value={arrangement.filter}
          onChange={(event) => set({ filter: event.currentTarget.value })}
        />
        <Select
          label={text.filterColumn}
          data={columns}
          value={arrangement.filterColumn}
          onChange={(filterColumn) => set({ filterColumn: filterColumn ?? anyColumn })}
          allowDeselect={false}
          searchable
        />
      </Group>
      {table.row_count === 0 && <Text>{text.noRows}</Text>}
      {table.row_count > 0 &&
        (isArranged(settled) ? (
          <ArrangedRows table={table} arrangement={settled} onSort={set} onOpen={setOpened} />
        ) : (
          <NewestRows table={table} arrangement={settled} onSort={set} onOpen={setOpened} />
        ))}
      <RowDialog table={table} row={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
