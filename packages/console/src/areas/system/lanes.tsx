import { Stack, Text } from '@mantine/core';
import type { ReadModelVersion } from '@mneme/client';
import { rowsOf } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { en } from '../../text/en.ts';

type Lane = ReadModelVersion['lanes'][number];
type Deferred = ReadModelVersion['deferred'][number];

const text = en.system.readModels;
const { laneColumns, deferredColumns } = text;
const maxHeight = 320;

/** The parts of a read model that advance by themselves. */
export function LaneTable({ label, lanes }: { readonly label: string; readonly lanes: readonly Lane[] }) {
  return <VirtualTable label={label} columns={ofLanes} rows={rowsOf(lanes)} maxHeight={maxHeight} />;
}

/** What waits for an operator to retry or discard a dead letter. */
export function DeferredTable({ deferred }: { readonly deferred: readonly Deferred[] }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {text.deferred}
      </Text>
      <VirtualTable label={text.deferred} columns={ofDeferred} rows={rowsOf(deferred)} maxHeight={maxHeight} />
    </Stack>
  );
}

const number = (value: number) => value.toLocaleString(en.locale);

const ofLanes: readonly TableColumn<Lane>[] = [
  { key: 'lane', title: laneColumns.lane, width: 70, isNumber: true, cell: ({ lane }) => lane },
  {
    key: 'position',
    title: laneColumns.position,
    width: 110,
    isNumber: true,
    cell: ({ position }) => number(position),
  },
  {
    key: 'lag',
    title: laneColumns.lag,
    width: 110,
    isNumber: true,
    cell: ({ lag_seconds }) => text.seconds(lag_seconds),
  },
  { key: 'queued', title: laneColumns.queued, width: 90, isNumber: true, cell: ({ queued }) => number(queued) },
  {
    key: 'failures',
    title: laneColumns.failures,
    width: 140,
    isNumber: true,
    cell: ({ failures_in_a_row }) => number(failures_in_a_row),
  },
  { key: 'deferred', title: laneColumns.deferred, width: 90, isNumber: true, cell: ({ deferred }) => deferred },
  { key: 'reason', title: laneColumns.reason, width: 240, cell: ({ reason }) => reason ?? en.none },
];

const ofDeferred: readonly TableColumn<Deferred>[] = [
  { key: 'aggregate', title: deferredColumns.aggregate, width: 260, cell: ({ aggregate }) => aggregate },
  { key: 'from', title: deferredColumns.from, width: 90, isNumber: true, cell: ({ from }) => number(from) },
  { key: 'type', title: deferredColumns.type, width: 160, cell: ({ type }) => type ?? en.none },
  {
    key: 'reason',
    title: deferredColumns.reason,
    width: 300,
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
  },
];
