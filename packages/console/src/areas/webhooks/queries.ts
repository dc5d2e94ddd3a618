import type { Delivery } from '@mneme/client';
import { queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import type { PageRequest } from '../../components/tables/use-pages.ts';

export function webhooksQuery(projectId: number) {
  return queryOptions({
    queryKey: ['webhooks', 'list', projectId],
    queryFn: ({ signal }) => mneme.webhooks.list(projectId, { signal }),
  });
}

/** Begins the keys of all that is read of a webhook's deliveries. */
export function allDeliveriesKey(webhookId: number) {
  return ['webhooks', 'deliveries', webhookId] as const;
}

/** @param status undefined: of any */
export function deliveriesKey(webhookId: number, status: Delivery['status'] | undefined) {
  return [...allDeliveriesKey(webhookId), status ?? 'any'] as const;
}

export async function readDeliveries(webhookId: number, status: Delivery['status'] | undefined, page: PageRequest) {
  const { logs, pagination } = await mneme.webhooks.logPage(webhookId, { ...page, status });
  return { items: logs, total: pagination.total };
}

export function replayQuery(webhookId: number) {
  return queryOptions({
    queryKey: ['webhooks', 'replay', webhookId],
    queryFn: ({ signal }) => mneme.webhooks.replayProgress(webhookId, { signal }),
  });
}

export function tablesQuery(projectId: number) {
  return queryOptions({
    queryKey: ['tables', 'list', projectId],
    queryFn: ({ signal }) => mneme.tables.list(projectId, { signal }),
  });
}

export function tableQuery(tableId: number) {
  return queryOptions({
    queryKey: ['tables', 'one', tableId],
    queryFn: ({ signal }) => mneme.tables.get(tableId, { signal }),
    refetchInterval: 5_000,
  });
}
