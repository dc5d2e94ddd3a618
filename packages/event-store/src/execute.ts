import { ConflictError } from './errors.ts';
import type { EventStore } from './event-store.ts';
import type { Position } from './position.ts';
import type { EventContext } from './recorded.ts';

/** The pure rules of one kind of aggregate; time and ids come in with the command. */
export interface Decider<State, Command, Event> {
  readonly initialState: State;
  /** What follows from a command: events, none when there is nothing to do, or a thrown refusal. */
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
}

export interface Execution<State, Event> {
  /** The state with the new events applied. */
  readonly state: State;
  /** What was appended now. */
  readonly events: readonly Event[];
  /** Of the last new event; undefined when nothing was appended. */
  readonly position: Position | undefined;
}

const defaultAttempts = 3;

/**
 * Loads an aggregate, decides, and appends. After a conflict it loads and decides again.
 * @param subject the aggregate's subject; it must be literal.
 * @param options.attempts how often to decide in all, 3 unless given.
 * @throws ConflictError when every attempt met a conflict; whatever `decide` throws; what `load` and `append` throw.
 */
export async function execute<State, Command, Event>(
  store: EventStore<Event>,
  decider: Decider<State, Command, Event>,
  subject: string,
  command: Command,
  context: EventContext,
  options: { attempts?: number } = {},
): Promise<Execution<State, Event>> {
  const attempts = options.attempts ?? defaultAttempts;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await executeOnce(store, decider, subject, command, context);
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt >= attempts) throw error;
    }
  }
}

async function executeOnce<State, Command, Event>(
  store: EventStore<Event>,
  decider: Decider<State, Command, Event>,
  subject: string,
  command: Command,
  context: EventContext,
): Promise<Execution<State, Event>> {
  const { events: history, revision } = await store.load(subject);
  const state = history.reduce((current: State, event) => decider.evolve(current, event), decider.initialState);
  const events = decider.decide(command, state);
  if (events.length === 0) return { state, events, position: undefined };
  const position = await store.append(subject, events, revision, context);
  return { state: events.reduce((current: State, event) => decider.evolve(current, event), state), events, position };
}
