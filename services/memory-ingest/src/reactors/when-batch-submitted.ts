import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, newestStore, type Recorded } from '@mneme/event-store';
import { ModelError } from '@mneme/models';
import { batchDecider, type ProcessBatch } from '../operation/batch-decider.ts';
import { batchFacts, type FactModels } from '../operation/batch-facts.ts';
import { type Operation, operationDecider } from '../operation/decider.ts';
import { factsExtracted } from '../operation/facts-extracted.ts';

export interface BatchHandlerDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly models: FactModels;
  /** The most bytes that the data of one event may have. */
  readonly maxEventBytes: () => number;
}

/** What there is work on a batch after. */
type WorkDue = Recorded<MemoryEventOf<'BatchSubmitted' | 'OperationRetried'>>;

/** Work that is done within this time is recorded by its facts alone, in milliseconds: nobody could see it being worked on. */
const quickMs = 200;

/**
 * KeyedMutex a submitted batch into facts and completes its operation, also when it is retried. Does nothing when the operation is finished or
 * cancelled; a cancellation during the work wins, since the facts are recorded only on the revision they were made on.
 */
export async function whenBatchSubmitted(deps: BatchHandlerDeps, event: WorkDue, signal: AbortSignal): Promise<void> {
  if (event.type === 'BatchSubmitted' && event.data.part !== event.data.parts - 1) return;
  const store = readingUpTo(deps.store, event);
  const ended = new AbortController();
  const completion = startOnce(deps, event, AbortSignal.any([signal, ended.signal]));
  const process = (complete: ProcessBatch['complete']) =>
    execute(store, batchDecider, event.subject, { type: 'ProcessBatch', complete }, causedBy(event), { signal });
  try {
    const { events } = await process((operation) => withinQuickTime(completion(operation)));
    if (events[0]?.type === 'OperationStarted') await process(completion);
  } catch (error) {
    if (!isHopeless(error)) throw error;
    await failOperation(deps.store, event, error);
  } finally {
    ended.abort();
  }
}

/** A model that refuses, or has the wrong key, would do so again; the caller is to know at once. */
function isHopeless(error: unknown): boolean {
  return error instanceof ModelError && !error.isPassing;
}

/** The items of an operation never change, so that its facts are made once, however often they have to be decided on. */
function startOnce({ models, maxEventBytes }: BatchHandlerDeps, event: WorkDue, signal: AbortSignal) {
  let started: Promise<readonly MemoryEventOf<'FactsExtracted'>[]> | undefined;
  const make = async (operation: Operation) => {
    if (!operation.ref) throw new Error('An operation without a batch has no facts');
    // A batch that is tried again is still of the day on which it was submitted.
    const facts = await batchFacts(operation, operation.submittedAt ?? event.time, models, signal);
    return factsExtracted(operation.ref, operation.documentId, facts, models, maxEventBytes());
  };
  return (operation: Operation) => {
    started ??= make(operation);
    return started;
  };
}

/** Undefined when it takes longer, and when it fails; `work` is then still to be awaited. */
async function withinQuickTime<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), quickMs);
  const done = work.catch(() => undefined);
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}

/**
 * A replica that has not got the event yet would make its operation look finished or unknown, and the event would be passed
 * over. Then it is read until what the leader has is there.
 */
function readingUpTo(store: EventStore<MemoryEvent>, { position }: WorkDue): EventStore<MemoryEvent> {
  return {
    ...store,
    fold: async (...asked) => {
      const folded = await store.fold(...asked);
      return folded.revision < position.sequence ? newestStore(store).fold(...asked) : folded;
    },
  };
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
