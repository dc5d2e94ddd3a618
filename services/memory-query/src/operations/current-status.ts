import { agentKeyOf, type MemoryEvent, memorySubjects, type OperationStatus, WireError } from '@mneme/contracts';
import type { EventStore } from '@mneme/event-store';
import type { MemoryReadModel } from '../read-model/read-model.ts';
import type { ReadableRows, Reads } from '../read-model/reads.ts';
import { operationStatus } from './queries.ts';

/** How long the last event of an operation is waited for, in milliseconds, before it is shown as far as it is applied. */
const lastEventWaitMs = 1_000;

export interface CurrentStatusDeps {
  readonly store: Pick<EventStore<MemoryEvent>, 'last'>;
  readonly readModel: Pick<MemoryReadModel, 'await'>;
  readonly reads: Pick<Reads, 'ofKey' | 'ofSpace'>;
}

type Query = Parameters<typeof operationStatus>[1] & { readonly minSequence?: number | undefined };

/**
 * An operation as its last event in the log left it. While the facts of a large batch are being applied, which may take
 * a minute, it is shown as pending or processing without waiting for that.
 * @throws WireError 404 and 403 like `operationStatus`, 503 like `Reads.ofKey`
 */
export async function currentStatus(deps: CurrentStatusDeps, query: Query): Promise<OperationStatus> {
  const { store, reads, readModel } = deps;
  const last = await store.last(memorySubjects.anyOperation(query.operationId.toLowerCase()));
  const key = last && agentKeyOf(last.subject);
  // Nobody has submitted it; the rows say so too, unless their store is away.
  if (!last || key === undefined) return operationStatus(await reads.ofSpace(query.space, query.minSequence), query);
  const { sequence } = last.position;
  if (!(await readModel.await(sequence, lastEventWaitMs, key))) {
    const shown = await unsettled(await reads.ofKey(query.space, key, query.minSequence), query);
    if (shown) return shown;
  }
  return operationStatus(await reads.ofKey(query.space, key, Math.max(sequence, query.minSequence ?? 0)), query);
}

/** The operation as far as it is applied; undefined when its submission is not, or it has ended and may have been retried. */
async function unsettled(rows: ReadableRows, query: Query): Promise<OperationStatus | undefined> {
  try {
    const shown = await operationStatus(rows, query);
    return shown.status === 'pending' || shown.status === 'processing' ? shown : undefined;
  } catch (error) {
    if (error instanceof WireError && error.status === 404) return undefined;
    throw error;
  }
}
