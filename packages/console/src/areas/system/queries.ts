import { queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';

/** What is looked at is never older than this, in milliseconds. */
const refetchInterval = 5_000;
const runningInterval = 1_000;

export const servicesQuery = queryOptions({
  queryKey: ['system', 'services'],
  queryFn: ({ signal }) => mneme.system.services({ signal }),
  refetchInterval,
});

export const streamsQuery = queryOptions({
  queryKey: ['system', 'streams'],
  queryFn: ({ signal }) => mneme.system.streams({ signal }),
  refetchInterval,
});

export const readModelsQuery = queryOptions({
  queryKey: ['system', 'read-models'],
  queryFn: ({ signal }) => mneme.system.readModels({ signal }),
  refetchInterval,
});

export const tasksQuery = queryOptions({
  queryKey: ['system', 'tasks'],
  queryFn: ({ signal }) => mneme.system.tasks({ signal }),
  refetchInterval: ({ state }) =>
    state.data?.some((task) => task.state === 'running') ? runningInterval : refetchInterval,
});
