import { Stack, Text } from '@mantine/core';
import type { SystemStream } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/loaded.tsx';
import { rowsOf } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { streamsQuery } from './queries.ts';

const text = en.system.streams;

/** JetStream streams and KV buckets with their sizes. */
export function Streams() {
  return (
    <Stack>
      <Loaded query={useQuery(streamsQuery)}>
        {(streams) => <VirtualTable label={en.system.tabs.streams} columns={columns} rows={rowsOf(streams)} />}
      </Loaded>
    </Stack>
  );
}

const columns: readonly TableColumn<SystemStream>[] = [
  { key: 'name', title: text.columns.name, width: 200, cell: ({ name }) => <Text fw={500}>{name}</Text> },
  { key: 'kind', title: text.columns.kind, width: 120, cell: ({ kind }) => text.kinds[kind] },
  {
    key: 'messages',
    title: text.columns.messages,
    width: 110,
    isNumber: true,
    cell: ({ messages }) => messages.toLocaleString(en.locale),
  },
  {
    key: 'size',
    title: text.columns.size,
    width: 110,
    isNumber: true,
    cell: ({ bytes }) => en.system.size(bytes),
  },
  {
    key: 'limit',
    title: text.columns.limit,
    width: 110,
    isNumber: true,
    cell: ({ max_bytes }) => (max_bytes === null ? text.noLimit : en.system.size(max_bytes)),
  },
  { key: 'first', title: text.columns.first, width: 190, cell: ({ first_at }) => <Time value={first_at} /> },
  { key: 'last', title: text.columns.last, width: 190, cell: ({ last_at }) => <Time value={last_at} /> },
  {
    key: 'consumers',
    title: text.columns.consumers,
    width: 110,
    isNumber: true,
    cell: ({ consumers }) => consumers,
  },
  { key: 'replicas', title: text.columns.replicas, width: 90, isNumber: true, cell: ({ replicas }) => replicas },
];
