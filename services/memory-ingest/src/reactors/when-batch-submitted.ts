import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { causedBy, type EventStore, execute, newestStore, type Recorded, type StoredMessage } from '@mneme/event-store';
import { ModelError } from '@mneme/models';
import pTimeout from 'p-timeout';
import { batchFacts, type FactModels } from '../operation/batch-facts.ts';
import { failOperation } from '../operation/commands.ts';
import { batchDecider, type Operation, type ProcessBatch } from '../operation/decider.ts';
import { withFactHeaders } from '../operation/fact-headers.ts';
import { factsExtracted } from '../operation/facts-extracted.ts';
import type { KeptFacts } from '../operation/kept-facts.ts';

export interface BatchHandlerDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly models: FactModels;
  /** Shared between attempts. */
  readonly keptFacts: KeptFacts;
  /** The most bytes that the data of one event may take. */
  readonly maxEventBytes: () => number;
}

/** An event after which a batch is to be processed. */
export type BatchDue = Recorded<MemoryEventOf<'BatchSubmitted' | 'OperationRetried'>>;

/** A batch that is processed within this time, in milliseconds, is not shown as processing first. */
const quickMs = 200;

/**
 * Extracts the facts of a submitted or retried batch and completes its operation. Does nothing when the operation is
 * finished or cancelled. A cancellation during the work wins, because the facts are appended only at the revision that they
 * are based on.
 */
export async function whenBatchSubmitted(deps: BatchHandlerDeps, event: BatchDue, signal: AbortSignal): Promise<void> {
  if (event.type === 'BatchSubmitted' && event.data.part !== event.data.parts - 1) return;
  const store = withFactHeaders(readingUpTo(deps.store, event));
  const ended = new AbortController();
  const facts = startOnce(deps, event, AbortSignal.any([signal, ended.signal]));
  const process = (complete: ProcessBatch['complete']) =>
    execute(store, batchDecider, event.subject, { type: 'ProcessBatch', complete }, causedBy(event), { signal });
  try {
    const { events } = await process((operation) => withinQuickTime(facts(operation)));
    if (events[0]?.type === 'OperationStarted') await process(facts);
    // It is stored, finished or cancelled. One that fails can be retried, and needs its facts then.
    deps.keptFacts.forget(event.subject);
  } catch (error) {
    // A model that refuses, or has a wrong key, would do so again: the operation fails at once.
    if (!(error instanceof ModelError) || error.isPassing) throw error;
    await giveUpBatch(deps.store, event, error);
  } finally {
    ended.abort();
  }
}

/** Fails the operation of a batch that cannot be processed. */
export function giveUpBatch(store: EventStore<MemoryEvent>, event: BatchDue, error: unknown): Promise<void> {
  return failOperation(store, event.subject, error, causedBy(event));
}

/** How many bytes of an event are searched for the number of its parts. */
const partsPrefixBytes = 1_024;
/** A batch with more takes a tenth of a second and longer. */
const largeBytes = 65_536;

/** Whether a batch takes long; only its last part makes work. A retried batch may be of any size, and is taken for large. */
export function isLargeBatch({ data }: Pick<StoredMessage, 'data'>): boolean {
  const prefix = Buffer.from(data.subarray(0, partsPrefixBytes)).toString('latin1');
  const [, part, parts] = /"part":(\d+),"parts":(\d+)/.exec(prefix) ?? [];
  if (part === undefined) return true;
  return Number(part) === Number(parts) - 1 && (Number(parts) > 1 || data.byteLength > largeBytes);
}

/** The items of an operation never change, so its facts are extracted once, however often `execute` decides on them. */
function startOnce({ models, keptFacts, maxEventBytes }: BatchHandlerDeps, event: BatchDue, signal: AbortSignal) {
  let started: Promise<readonly MemoryEventOf<'FactsExtracted'>[]> | undefined;
  const extract = async (operation: Operation) => {
    if (!operation.ref) throw new Error('An operation without a batch has no facts');
    // A retried batch keeps the date of its submission.
    const options = { signal, kept: keptFacts.of(event.subject) };
    const facts = await batchFacts(operation, operation.submittedAt ?? event.time, models, options);
    return factsExtracted(operation.ref, operation, facts, models, maxEventBytes());
  };
  return (operation: Operation) => {
    started ??= extract(operation);
    return started;
  };
}

/** Undefined when the work takes longer or fails; `work` has to be awaited all the same. */
function withinQuickTime<T>(work: Promise<T>): Promise<T | undefined> {
  const settled = work.catch(() => undefined);
  return pTimeout<T | undefined, undefined>(settled, { milliseconds: quickMs, fallback: () => undefined });
}

/** A batch that was submitted no longer ago, in milliseconds, has hardly ever been cancelled or completed since. */
const freshMs = 1_000;

/**
 * Takes the event of a batch that was just submitted for all of its history, which saves reading it; if there is more, the
 * append meets a conflict, and the history is read.
 *
 * A replica that does not have the event yet would make the operation look finished or unknown, and the batch would be
 * skipped. In that case the history is read again, up to what the leader has.
 */
function readingUpTo(store: EventStore<MemoryEvent>, event: BatchDue): EventStore<MemoryEvent> {
  const { sequence } = event.position;
  let isWholeHistory = isFresh(event);
  return {
    ...store,
    fold: async (subject, evolve, initial, known) => {
      if (isWholeHistory) {
        isWholeHistory = false;
        return { state: evolve(initial, event), revision: sequence, bytes: 0 };
      }
      const folded = await store.fold(subject, evolve, initial, known);
      return folded.revision < sequence ? newestStore(store).fold(subject, evolve, initial, known) : folded;
    },
  };
}

function isFresh({ type, data, time }: BatchDue): boolean {
  return type === 'BatchSubmitted' && data.parts === 1 && Math.abs(Date.now() - Date.parse(time)) < freshMs;
}
