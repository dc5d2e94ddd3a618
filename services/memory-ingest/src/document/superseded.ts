import { type MemoryEvent, memoryQuery } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';

/** It only saves work, so that it is not worth a long wait, in milliseconds. */
const deadlineMs = 2_000;

/**
 * Whether the document of an event with facts was replaced or deleted since, so that the facts are gone for good. False for
 * other events, and as long as the read model does not know or cannot be asked.
 */
export async function isSuperseded(
  client: Pick<Client, 'request'>,
  { type, data, correlationId }: Recorded<MemoryEvent>,
  signal: AbortSignal,
): Promise<boolean> {
  if (type !== 'FactsExtracted' || data.documentId === null) return false;
  const { space, operationId } = data;
  const asked = client.request(memoryQuery.isSuperseded, { space, operationId }, { correlationId, deadlineMs, signal });
  return asked.then(
    (reply) => reply.isSuperseded,
    () => false,
  );
}
