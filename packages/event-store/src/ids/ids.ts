import { type DomainEvent, type IdEvent, type IdKind, idKinds } from '@mneme/contracts';
import pLimit from 'p-limit';
import { TooManyWaitingError } from '../errors.ts';
import type { EventStore } from '../event-store.ts';
import { type DecidingStore, execute } from '../execute.ts';
import type { EventContext, EventRecord } from '../recorded.ts';
import { createStateCache, type StateCache } from '../state-cache.ts';
import { assignmentDecider, idDecider, type TakeId } from './decider.ts';

/** A log that has the events of ids, among others. */
export interface IdLog {
  readonly store: Pick<EventStore<IdEvent>, 'append'> & { last(subject: string): Promise<Located | undefined> };
  readonly subjects: {
    /** Where the ids of a kind are given out. */
    numbers(kind: IdKind): string;
    /** Where the id of what a command makes is kept. */
    command(kind: IdKind, userId: number, commandId: string): string;
  };
}

/** The highest ids that were given out, kept apart from the log: an older one that is restored does not know them. */
export interface HighestIds {
  /** 0 when none is known. */
  of(kind: IdKind): Promise<number>;
  raise(kind: IdKind, id: number): Promise<void>;
}

type Located = DomainEvent & Pick<EventRecord, 'position'>;

/** Gives out ids that are used once: 1, 2, 3, … for each kind. An id whose taker fails stays unused. */
export interface Ids {
  /**
   * @throws ConflictError when other instances were faster again and again
   * @throws TooManyWaitingError when more than 1 000 callers wait for an id of the kind
   * @throws EventLogUnavailableError when the log does not answer
   */
  take(kind: IdKind, context: EventContext): Promise<number>;
  /**
   * Gives a command the id of what it makes; the same command again, also at once, gets the same id.
   * @throws what `beforeNew` throws
   */
  assign(command: IdCommand, context: EventContext): Promise<number>;
}

/** A command that makes something, by what tells that it is the same command. */
export interface IdCommand {
  readonly kind: IdKind;
  readonly userId: number;
  readonly commandId: string;
  /** Runs before the command gets a new id; what it throws refuses the command. */
  readonly beforeNew?: () => Promise<void>;
}

type DecidingLog = { readonly store: DecidingStore<IdEvent> } & Pick<IdLog, 'subjects'>;

/** With every conflict one other instance has got its id, so that this outlasts many instances. */
const maxAttempts = 50;
const longestPauseMs = 30;
const maxWaiting = 1_000;

/** @param highest what the log alone tells unless given */
export function createIds({ store: given, subjects }: IdLog, highest?: HighestIds): Ids {
  // Its subjects hold events of ids only.
  const store = given as DecidingStore<IdEvent>;
  const counters = new Map(idKinds.map((kind) => [kind, createCounter({ store, subjects }, kind, highest)]));
  const take = async (kind: IdKind, context: EventContext) => {
    const counter = counters.get(kind);
    if (!counter) throw new Error(`There are no ids for a ${kind}`);
    return counter(context);
  };
  return {
    take,
    assign: async ({ kind, userId, commandId, beforeNew }, context) => {
      const subject = subjects.command(kind, userId, commandId);
      const takeNew = async () => {
        await beforeNew?.();
        return take(kind, context);
      };
      const command = { type: 'AssignId', kind, commandId, take: takeNew } as const;
      const { state } = await execute(store, assignmentDecider, subject, command, context, { history: 'last' });
      if (state === undefined) throw new Error(`The command ${commandId} has no id`);
      return state;
    },
  };
}

/** One after another, since all but one of those that try at once would fail. */
function createCounter(log: DecidingLog, kind: IdKind, highest: HighestIds | undefined) {
  const limit = pLimit(1);
  const cache = createStateCache<number>({ maxStates: 1, sizeOf: () => 0 });
  return (context: EventContext): Promise<number> => {
    const waiting = limit.activeCount + limit.pendingCount;
    if (waiting >= maxWaiting) throw new TooManyWaitingError(`a new ${kind}`);
    const next = async () => {
      const above = (await highest?.of(kind)) ?? 0;
      return takeNext(log, { type: 'TakeId', kind, above }, cache, context);
    };
    const taken = limit(next);
    return highest ? taken.then((id) => highest.raise(kind, id).then(() => id)) : taken;
  };
}

async function takeNext(
  { store, subjects }: DecidingLog,
  command: TakeId,
  cache: StateCache<number>,
  context: EventContext,
): Promise<number> {
  const pauseMs = (conflicts: number) => Math.random() * Math.min(conflicts, longestPauseMs);
  const options = { history: 'last', attempts: maxAttempts, pauseMs, cache } as const;
  const taken = await execute(store, idDecider, subjects.numbers(command.kind), command, context, options);
  return taken.state;
}
