import { type DomainEvent, type IdEvent, type IdKind, idKinds, WireError } from '@mneme/contracts';
import type { EventStore } from '../event-store.ts';
import { type DecidingStore, execute } from '../execute.ts';
import type { EventContext, EventRecord } from '../recorded.ts';
import { createStateCache, type StateCache } from '../state-cache.ts';
import { assignmentDecider, idDecider } from './decider.ts';

/** A log whose events are numbers, among others. */
export interface IdLog {
  readonly store: Pick<EventStore<IdEvent>, 'append'> & { last(subject: string): Promise<Located | undefined> };
  readonly subjects: {
    /** Where the numbers of a kind are given out. */
    numbers(kind: IdKind): string;
    /** Where the number of a command is kept. */
    command(kind: IdKind, userId: number, commandId: string): string;
  };
}

type Located = DomainEvent & Pick<EventRecord, 'position'>;

/** Gives out numbers that are used once. A number whose taker fails stays unused. */
export interface Ids {
  /**
   * @throws ConflictError when other instances were faster again and again; WireError 503 when too many wait;
   * EventLogUnavailableError.
   */
  take(kind: IdKind, context: EventContext): Promise<number>;
}

/** With every conflict one other instance has got its number, so that this outlasts many instances. */
const maxAttempts = 50;
const longestPauseMs = 30;
const maxWaiting = 1_000;

export function createIds(log: IdLog): Ids {
  const counters = new Map(idKinds.map((kind) => [kind, createCounter(log, kind)]));
  return {
    take: (kind, context) => {
      const counter = counters.get(kind);
      if (!counter) throw new Error(`Nothing numbers a ${kind}`);
      return counter(context);
    },
  };
}

/** One after another, since all but one of those that try at once would fail. */
function createCounter(log: IdLog, kind: IdKind) {
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const cache = createStateCache<number>({ maxStates: 1, sizeOf: () => 0 });
  return (context: EventContext): Promise<number> => {
    if (waiting >= maxWaiting) throw tooMany(kind);
    waiting += 1;
    const taken = turn
      .then(() => takeNext(log, kind, cache, context))
      .finally(() => {
        waiting -= 1;
      });
    turn = taken.catch(() => undefined);
    return taken;
  };
}

async function takeNext(
  { store, subjects }: IdLog,
  kind: IdKind,
  cache: StateCache<number>,
  context: EventContext,
): Promise<number> {
  const subject = subjects.numbers(kind);
  const pauseMs = (conflicts: number) => Math.random() * Math.min(conflicts, longestPauseMs);
  const options = { history: 'last', attempts: maxAttempts, pauseMs, cache } as const;
  // The subject holds events of numbers only.
  const deciding = store as DecidingStore<IdEvent>;
  const taken = await execute(deciding, idDecider, subject, { type: 'TakeId', kind }, context, options);
  return taken.state;
}

function tooMany(kind: IdKind): WireError {
  const message = `Too many ask for a new ${kind} at once, try again later`;
  return new WireError({ status: 503, code: 'UNAVAILABLE', message });
}

/** A wish for something that gets a number, by what makes it the same wish. */
export interface IdCommand {
  readonly kind: IdKind;
  readonly userId: number;
  readonly commandId: string;
}

/** Gives a command the number of what it makes; the same command again, also at once, gets the same number. */
export async function assignId(
  { store, subjects, ids }: IdLog & { readonly ids: Ids },
  { kind, userId, commandId }: IdCommand,
  context: EventContext,
): Promise<number> {
  const subject = subjects.command(kind, userId, commandId);
  const command = { type: 'AssignId', kind, commandId, take: () => ids.take(kind, context) } as const;
  // The subject holds events of numbers only.
  const deciding = store as DecidingStore<IdEvent>;
  const { state } = await execute(deciding, assignmentDecider, subject, command, context, { history: 'last' });
  if (state === undefined) throw new Error(`The command ${commandId} has no number`);
  return state;
}
