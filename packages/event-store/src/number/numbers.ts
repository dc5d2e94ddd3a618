import { setTimeout as pause } from 'node:timers/promises';
import { type DomainEvent, type NumberEvent, type NumberedKind, numberedKinds, WireError } from '@mneme/contracts';
import { ConflictError } from '../errors.ts';
import type { EventStore } from '../event-store.ts';
import type { EventContext, EventRecord } from '../recorded.ts';
import { numberDecider } from './number-decider.ts';

/** A log whose events are numbers, among others. */
export interface NumberLog {
  readonly store: Pick<EventStore<NumberEvent>, 'append'> & { last(subject: string): Promise<Located | undefined> };
  readonly subjects: {
    /** Where the numbers of a kind are given out. */
    numbers(kind: NumberedKind): string;
    /** Where the number of a command is kept. */
    command(kind: NumberedKind, userId: number, commandId: string): string;
  };
}

type Located = DomainEvent & Pick<EventRecord, 'position'>;

/** Gives out numbers that are used once. A number whose taker fails stays unused. */
export interface Numbers {
  /**
   * @throws ConflictError when other instances were faster again and again; WireError 503 when too many wait;
   * EventLogUnavailableError.
   */
  take(kind: NumberedKind, context: EventContext): Promise<number>;
}

/** With every conflict one other instance has got its number, so that this outlasts many instances. */
const maxAttempts = 50;
const longestPauseMs = 30;
const maxWaiting = 1_000;

export function createNumbers(log: NumberLog): Numbers {
  const counters = new Map(numberedKinds.map((kind) => [kind, createCounter(log, kind)]));
  return {
    take: (kind, context) => {
      const counter = counters.get(kind);
      if (!counter) throw new Error(`Nothing numbers a ${kind}`);
      return counter(context);
    },
  };
}

interface Counted {
  readonly last: number;
  readonly revision: number;
}

/** One after another, since all but one of those that try at once would fail. */
function createCounter(log: NumberLog, kind: NumberedKind) {
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let known: Counted | undefined;
  const take = async (context: EventContext): Promise<number> => {
    const counted = await takeNext(log, kind, known, context).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    known = counted;
    return counted.last;
  };
  return (context: EventContext): Promise<number> => {
    if (waiting >= maxWaiting) throw tooMany(kind);
    waiting += 1;
    const taken = turn
      .then(() => take(context))
      .finally(() => {
        waiting -= 1;
      });
    turn = taken.catch(() => undefined);
    return taken;
  };
}

async function takeNext(
  { store, subjects }: NumberLog,
  kind: NumberedKind,
  known: Counted | undefined,
  context: EventContext,
): Promise<Counted> {
  const subject = subjects.numbers(kind);
  let counted = known;
  for (let attempt = 1; ; attempt += 1) {
    const { last, revision } = counted ?? (await readLast(store, subject));
    try {
      const events = numberDecider.decide({ type: 'TakeNumber', kind }, last);
      const { sequence } = await store.append(subject, events, revision, context);
      return { last: events.reduce(numberDecider.evolve, last), revision: sequence };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === maxAttempts) throw error;
      await pause(Math.random() * Math.min(attempt, longestPauseMs));
      counted = undefined;
    }
  }
}

async function readLast(store: NumberLog['store'], subject: string): Promise<Counted> {
  const event = await store.last(subject);
  if (event?.type !== 'NumberTaken') return { last: numberDecider.initialState, revision: 0 };
  return {
    last: numberDecider.evolve(numberDecider.initialState, event as NumberEvent),
    revision: event.position.sequence,
  };
}

function tooMany(kind: NumberedKind): WireError {
  const message = `Too many ask for a new ${kind} at once, try again later`;
  return new WireError({ status: 503, code: 'UNAVAILABLE', message });
}
