import { setTimeout as pause } from 'node:timers/promises';
import { KeyedMutex } from '@mneme/workers/keyed-mutex';
import { ConflictError, EventLogUnavailableError } from './errors.ts';
import type { EventStore } from './event-store.ts';
import type { Known } from './log/reading/load.ts';
import type { EventContext, EventRecord, Position } from './recorded.ts';
import type { StateCache } from './state-cache.ts';

/** The pure rules of one kind of aggregate; time and ids come in with the command. States are immutable values. */
export interface Decider<State, Command, Event> {
  readonly initialState: State;
  /** What follows from a command: events, none when there is nothing to do, or a thrown refusal. */
  decide(command: Command, state: State): readonly Event[];
  /** An event from the log comes with its record; one that was just decided, without. */
  evolve(state: State, event: Event & Partial<EventRecord>): State;
}

/** What one decision is made on, and how it can be cut short. */
export interface DecisionControl {
  /** The sequence of the last event that the state is made of; 0 for an aggregate without events. */
  readonly revision: number;
  /** 1 for the first decision, one more after every conflict. */
  readonly attempt: number;
  /** Aborted when the caller does not wait for the decision any more. */
  readonly signal: AbortSignal;
}

/** A decider that asks a model or another service before it decides. It may be asked again after a conflict. */
export interface AsyncDecider<State, Command, Event> extends Pick<Decider<State, Command, Event>, 'initialState'> {
  decide(command: Command, state: State, control: DecisionControl): readonly Event[] | Promise<readonly Event[]>;
  evolve(state: State, event: Event & Partial<EventRecord>): State;
}

export interface ExecuteOptions<State> {
  /** How often to decide in all; 3 unless given. */
  readonly attempts?: number;
  /** How long to wait after the given conflict, counted from 1, in milliseconds. No time unless given. */
  readonly pauseMs?: (conflicts: number) => number;
  /** Decides the commands of this process on one subject one after the other. Those of other processes can still conflict. */
  readonly mutex?: KeyedMutex;
  /** For a command that is not one of several steps: what was begun before is completed. */
  readonly signal?: AbortSignal | undefined;
  /** Keeps the state, so that the next command on the same subject reads only what came after it. One cache is for one decider. */
  readonly cache?: StateCache<State>;
  /**
   * The events that the state is computed from:
   * - `all` of the subject (the default);
   * - the `last` one alone, if it contains the whole state, or `none`, if only the revision is needed: read from the leader;
   * - `irrelevant`: the decision is the same for every history. It is made on the initial state, and never conflicts;
   * - a function reads the state elsewhere, such as in a read model that knows its revision.
   *
   * With `last` or a function, a cached state is used without reading the log, until a conflict shows that it is out of date.
   */
  readonly history?: 'all' | 'last' | 'none' | 'irrelevant' | (() => Promise<Known<State>>);
}

export interface Execution<State, Event> {
  /** The state with the new events applied. */
  readonly state: State;
  /** What was appended now. */
  readonly events: readonly Event[];
  /** Of the last new event; undefined when nothing was appended. */
  readonly position: Position | undefined;
  /** The sequence of the aggregate's last event after it; 0 when it has none. */
  readonly revision: number;
}

/** What `execute` needs of an event store. */
export type DecidingStore<Event> = Pick<EventStore<Event>, 'append' | 'fold' | 'last' | 'head'>;

const defaultAttempts = 3;
/** In milliseconds. */
const longestPauseMs = 100;

/**
 * For aggregates that many callers may change at once, with a decider that costs little. The commands of one process are
 * decided one after the other, because the conflicts of n concurrent ones cost n² attempts. A conflict then means that a
 * command of another process has succeeded. The pauses after conflicts grow and are random, so that commands do not conflict
 * again and again.
 */
export const contended = {
  mutex: new KeyedMutex(),
  attempts: 50,
  pauseMs: (conflicts: number) => Math.random() * Math.min(2 ** conflicts, longestPauseMs),
} as const satisfies ExecuteOptions<unknown>;

const never = new AbortController().signal;

/**
 * Reads the state of an aggregate, decides, and appends. After a conflict it reads and decides again, a bounded number of
 * times.
 * @param subject the aggregate's subject; it must be literal.
 * @throws ConflictError when every attempt met a conflict; the signal's reason when it is aborted before the events of a
 * decision are sent; whatever `decide` throws; what `fold` and `append` throw.
 */
export async function execute<State, Command, Event>(
  store: DecidingStore<Event>,
  decider: AsyncDecider<State, Command, Event>,
  subject: string,
  command: Command,
  context: EventContext,
  options: ExecuteOptions<State> = {},
): Promise<Execution<State, Event>> {
  const decide = () => decideUntilAppended(store, decider, subject, command, context, options);
  const { mutex, signal = never } = options;
  return mutex ? mutex.run(subject, decide, { signal, sharedFailure }) : decide();
}

/**
 * While the log does not answer, the commands in the queue would each wait for the whole time limit, one after the other.
 * Nothing of them was sent.
 */
function sharedFailure(error: unknown): EventLogUnavailableError | undefined {
  if (!(error instanceof EventLogUnavailableError)) return undefined;
  return new EventLogUnavailableError(error.message, { cause: error });
}

async function decideUntilAppended<State, Command, Event>(
  store: DecidingStore<Event>,
  decider: AsyncDecider<State, Command, Event>,
  subject: string,
  command: Command,
  context: EventContext,
  options: ExecuteOptions<State>,
): Promise<Execution<State, Event>> {
  const { attempts = defaultAttempts, signal = never, cache } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    const known = await readState(store, decider, subject, options);
    const events = await decider.decide(command, known.state, { revision: known.revision, attempt, signal });
    if (events.length === 0) return { ...known, events, position: undefined };
    signal.throwIfAborted();
    try {
      const expected = options.history === 'irrelevant' ? 'any' : known.revision;
      const position = await store.append(subject, events, expected, context);
      const state = events.reduce((current: State, event) => decider.evolve(current, unrecorded(event)), known.state);
      if (trustsCache(options)) cache?.set(subject, { state, revision: position.sequence });
      return { state, events, position, revision: position.sequence };
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      // `fold` finds out by itself whether a cached state still holds.
      if (trustsCache(options)) cache?.delete(subject);
      if (attempt >= attempts) throw error;
    }
    const waitMs = options.pauseMs?.(attempt) ?? 0;
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
  }
}

/** Whether a cached state is used without a look at the log. */
function trustsCache<State>({ history }: ExecuteOptions<State>): boolean {
  return history === 'last' || typeof history === 'function';
}

async function readState<State, Command, Event>(
  store: DecidingStore<Event>,
  decider: AsyncDecider<State, Command, Event>,
  subject: string,
  { cache, history = 'all' }: ExecuteOptions<State>,
): Promise<Known<State>> {
  const cached = cache?.get(subject);
  const { initialState, evolve } = decider;
  if (history === 'irrelevant') return empty(initialState);
  if (history === 'none') return { state: initialState, revision: await store.head(subject) };
  if (typeof history === 'function') return cached ?? (await history());
  if (history === 'last') {
    if (cached) return cached;
    const event = await store.last(subject);
    return event ? { state: evolve(initialState, event), revision: event.position.sequence } : empty(initialState);
  }
  const { state, revision, eventId } = await store.fold(
    subject,
    (current: State, event) => evolve(current, event),
    initialState,
    cached,
  );
  // Kept is what stands in the log, never what was decided: both are read the same way then.
  if (revision > 0) cache?.set(subject, { state, revision, eventId });
  else cache?.delete(subject);
  return { state, revision };
}

/** Its record is in the log, and not at hand. */
function unrecorded<Event>(event: Event): Event & Partial<EventRecord> {
  return event as Event & Partial<EventRecord>;
}

function empty<State>(state: State): Known<State> {
  return { state, revision: 0 };
}
