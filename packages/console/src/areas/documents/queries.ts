import type { ListedOperation } from '@mneme/client';
import { queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';

/** How often running operations are looked at, in milliseconds; the others, which another program may have started. */
const runningMs = 1_500;
const idleMs = 8_000;
/** The most memories of a document that are marked in its text. */
export const maxMarked = 5_000;
/** How long what is on the page of a document is not read again, in milliseconds. */
export const freshMs = 30_000;

/** The memories of a document, in their order in it. */
export function unitsOfDocumentQuery(agentId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', 'units', agentId, documentId],
    queryFn: async ({ signal }) => {
      const units = [];
      for await (const unit of mneme.agent(agentId).memories.list({ documentId, pageSize: 1_000, signal })) {
        units.push(unit);
        if (units.length === maxMarked) break;
      }
      return units;
    },
    staleTime: freshMs,
  });
}

export function operationsQuery(agentId: string) {
  return queryOptions({
    queryKey: ['documents', 'operations', agentId],
    queryFn: async ({ signal, client, queryKey }) => {
      const before = client.getQueryData<readonly ListedOperation[]>(queryKey);
      const operations = await mneme.agent(agentId).operations.list({ signal });
      // What is no longer running has changed the documents.
      const isChanged = before && idsOf(before) !== idsOf(operations);
      if (isChanged) void client.invalidateQueries({ queryKey: ['documents', 'list', agentId] });
      return operations;
    },
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? runningMs : idleMs),
  });
}

function idsOf(operations: readonly ListedOperation[]): string {
  return operations.map(({ id }) => id).join();
}
