import { Stack, Text } from '@mantine/core';
import type { SystemService } from '@mneme/client';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/loaded.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { rowsOf } from '../../components/tables/use-pages.ts';
import { type TableColumn, VirtualTable } from '../../components/tables/virtual-table.tsx';
import { Time } from '../../components/time.tsx';
import { en } from '../../text/en.ts';
import { servicesQuery } from './queries.ts';

const text = en.system.services;
const tones = { ready: 'good', degraded: 'warning', unavailable: 'bad' } as const;

/** The services with their instances. */
export function Services() {
  return (
    <Stack>
      <Loaded query={useQuery(servicesQuery)}>
        {(services) => <VirtualTable label={en.system.tabs.services} columns={columns} rows={rowsOf(services)} />}
      </Loaded>
    </Stack>
  );
}

const sumOf = ({ instances }: SystemService, field: 'requests' | 'errors') =>
  instances.reduce((sum, instance) => sum + instance[field], 0).toLocaleString(en.locale);

const columns: readonly TableColumn<SystemService>[] = [
  { key: 'name', title: text.columns.name, width: 150, cell: ({ name }) => <Text fw={500}>{name}</Text> },
  {
    key: 'state',
    title: text.columns.state,
    width: 140,
    cell: ({ state }) => <StateBadge tone={tones[state]}>{text.states[state]}</StateBadge>,
  },
  {
    key: 'instances',
    title: text.columns.instances,
    width: 100,
    isNumber: true,
    cell: ({ instances }) => instances.length,
  },
  {
    key: 'version',
    title: text.version,
    width: 100,
    cell: ({ instances }) => [...new Set(instances.map(({ version }) => version))].join(', ') || en.none,
  },
  {
    key: 'started',
    title: text.started,
    width: 190,
    cell: ({ instances }) => <Time value={instances.map(({ started_at }) => started_at).toSorted()[0]} />,
  },
  {
    key: 'requests',
    title: text.columns.requests,
    width: 110,
    isNumber: true,
    cell: (service) => sumOf(service, 'requests'),
  },
  {
    key: 'errors',
    title: text.columns.errors,
    width: 90,
    isNumber: true,
    cell: (service) => sumOf(service, 'errors'),
  },
  { key: 'reason', title: text.reason, width: 260, cell: ({ reason }) => reason ?? en.none },
];
