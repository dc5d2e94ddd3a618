import { type MemoryEvent, memoryQuery } from '@mneme/contracts';
import type { EventStore, Recorded } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';

export interface SupersededDeps {
  readonly client: Pick<Client, 'request'>;
  readonly store: Pick<EventStore<MemoryEvent>, 'head'>;
}

/** It only saves work, so that it is not worth a long wait, in milliseconds. */
const timeoutMs = 2_000;

/**
 * Whether the document of an event with facts was replaced or deleted since, so that the facts are gone for good. False for
 * other events, and as long as the read model does not know, cannot be asked, or knows of something that is not in the log:
 * an older one may have been restored.
 */
export async function isSuperseded(
  { client, store }: SupersededDeps,
  { type, data, correlationId }: Recorded<MemoryEvent>,
  signal: AbortSignal,
): Promise<boolean> {
  if (type !== 'FactsExtracted' || data.documentId === null) return false;
  const { space, operationId } = data;
  const options = { correlationId, timeoutMs, signal };
  const asked = client.request(memoryQuery.supersededBy, { space, operationId }, options);
  const { by } = await asked.catch(() => ({ by: null }));
  return by !== null && by <= (await store.head());
}
