import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';

/** A memory with everything that is known of it. */
export function unitQuery(unitId: string) {
  return queryOptions({
    queryKey: ['units', 'one', unitId],
    queryFn: ({ signal }) => mneme.memory(unitId, { signal }),
  });
}

const showsUnits: ReadonlySet<unknown> = new Set(['units', 'graph', 'search', 'agents', 'documents', 'think']);

const isOfUnits = ({ queryKey }: { readonly queryKey: QueryKey }) => showsUnits.has(queryKey[0]);

/** Has everything that shows memories read again, since one has changed. */
export function readUnitsAgain(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ predicate: isOfUnits });
}

/** Forgets what was read of memories and is not on the screen, since some are gone. */
export function dropUnits(queryClient: QueryClient): void {
  queryClient.removeQueries({ type: 'inactive', predicate: isOfUnits });
}

export function documentQuery(agentId: string, documentId: string) {
  return queryOptions({
    queryKey: ['documents', 'one', agentId, documentId],
    queryFn: ({ signal }) => mneme.agent(agentId).documents.get(documentId, { signal }),
  });
}
