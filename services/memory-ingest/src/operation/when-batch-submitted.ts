import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { ConflictError, type EventContext, type EventStore, execute, type Recorded } from '@mneme/event-store';
import { ModelError } from '@mneme/models';
import { batchFacts, type FactModels } from './batch-facts.ts';
import { factsExtracted } from './facts-extracted.ts';
import { isOpen, type Operation, operationDecider } from './operation-decider.ts';

export interface BatchHandlerDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly models: FactModels;
  /** The most bytes that the data of one event may have. */
  readonly maxEventBytes: () => number;
}

/** What there is work on a batch after. */
type WorkDue = Recorded<MemoryEventOf<'BatchSubmitted' | 'OperationRetried'>>;

/** How often a batch is looked at again when somebody else wrote to the operation meanwhile. */
const maxRounds = 3;
/** Work that is done within this time is recorded by its facts alone, in milliseconds: nobody could see it being worked on. */
const quickMs = 200;

/**
 * Turns a submitted batch into facts and completes its operation, also when it is retried. Does nothing when the operation is finished or
 * cancelled; a cancellation during the work wins, since the facts are recorded only on the revision they were made on.
 */
export async function whenBatchSubmitted(deps: BatchHandlerDeps, event: WorkDue, signal: AbortSignal): Promise<void> {
  if (event.type === 'BatchSubmitted' && event.data.part !== event.data.parts - 1) return;
  for (let round = 1; ; round += 1) {
    try {
      return await processBatch(deps, event, signal);
    } catch (error) {
      if (isHopeless(error)) return failOperation(deps.store, event, error);
      if (!(error instanceof ConflictError) || round === maxRounds) throw error;
    }
  }
}

/** A model that refuses, or has the wrong key, would do so again; the caller is to know at once. */
function isHopeless(error: unknown): boolean {
  return error instanceof ModelError && !error.isPassing;
}

async function processBatch(deps: BatchHandlerDeps, event: WorkDue, signal: AbortSignal): Promise<void> {
  const { store, models } = deps;
  const { events, revision } = await store.load(event.subject);
  const operation = events.reduce(operationDecider.evolve, operationDecider.initialState);
  if (!isOpen(operation) || !operation.ref) return;
  const overtaken = new AbortController();
  const work = batchFacts(operation, submittedAt(events, event), models, AbortSignal.any([signal, overtaken.signal]));
  try {
    const isQuick = await fulfilsWithin(work, quickMs);
    const expected = isQuick ? revision : await recordStart(store, event, operation, revision);
    const facts = await work;
    const completion = factsExtracted(operation.ref, operation.documentId, facts, models, deps.maxEventBytes());
    const record = operationDecider.decide({ type: 'RecordFacts', events: completion }, operation);
    await store.append(event.subject, record, expected, causedBy(event));
  } catch (error) {
    overtaken.abort();
    throw error;
  }
}

/** A batch that is tried again is still of the day on which it was submitted. */
function submittedAt(events: readonly Recorded<MemoryEvent>[], { time }: WorkDue): string {
  return events.findLast(({ type }) => type === 'BatchSubmitted')?.time ?? time;
}

/** Lets everybody see that the operation is worked on, and counts the attempt. Returns the new revision. */
async function recordStart(
  store: EventStore<MemoryEvent>,
  event: WorkDue,
  operation: Operation,
  revision: number,
): Promise<number> {
  const start = operationDecider.decide({ type: 'StartOperation' }, operation);
  return (await store.append(event.subject, start, revision, causedBy(event))).sequence;
}

/** False when it takes longer, and when it fails; `work` is then still to be awaited. */
async function fulfilsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const { promise: isLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), limitMs);
  const isDone = work.then(
    () => true,
    () => false,
  );
  return Promise.race([isDone, isLate]).finally(() => clearTimeout(timer));
}

/** Gives a batch up: its operation becomes failed, with a message for the user. */
export async function failOperation(store: EventStore<MemoryEvent>, event: WorkDue, error: unknown): Promise<void> {
  const message = error instanceof Error && error.message !== '' ? error.message : 'The batch could not be processed';
  await execute(store, operationDecider, event.subject, { type: 'FailOperation', message }, causedBy(event));
}

function causedBy(event: WorkDue): EventContext {
  const { correlationId, id, actor } = event;
  return { correlationId, causationId: id, ...(actor === undefined ? {} : { actor }) };
}
