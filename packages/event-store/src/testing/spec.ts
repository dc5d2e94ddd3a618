import { expect } from 'vitest';
import type { AsyncDecider, Decider } from '../execute.ts';
import type { EventRecord } from '../recorded.ts';

/** What is specified of a decider. `Checked` is a promise where the decider is asynchronous. */
export interface Specification<Command, Event, Checked> {
  /** @param events those that the aggregate has before the command */
  given(events: readonly (Event & Partial<EventRecord>)[]): Specification<Command, Event, Checked>;
  when(command: Command): Decided<Event, Checked>;
}

/** What a command leads to. Each method fails the test when it leads to something else. */
export interface Decided<Event, Checked> {
  /** @param events exactly these, in order; asymmetric matchers such as `expect.objectContaining` may stand in them */
  then(events: readonly Event[]): Checked;
  /** @param matcher the error's `code`, a pattern of its message, its class, or an object with some of its properties */
  thenRefuses(matcher: string | RegExp | ErrorClass | object): Checked;
}

type ErrorClass = abstract new (...args: never[]) => Error;
type Outcome<Event> = { readonly events: readonly Event[] } | { readonly error: unknown };

/** Begins a specification: `specify(decider).given(events).when(command).then(events)`. */
export function specify<S, Command, Event>(decider: Decider<S, Command, Event>): Specification<Command, Event, void>;
export function specify<S, Command, Event>(
  decider: AsyncDecider<S, Command, Event>,
): Specification<Command, Event, Promise<void>>;
export function specify<S, Command, Event>(
  decider: AsyncDecider<S, Command, Event>,
): Specification<Command, Event, unknown> {
  return specifyFrom(decider, []);
}

function specifyFrom<S, Command, Event>(
  decider: AsyncDecider<S, Command, Event>,
  history: readonly (Event & Partial<EventRecord>)[],
): Specification<Command, Event, unknown> {
  return {
    given: (events) => specifyFrom(decider, [...history, ...events]),
    when: (command) => {
      const state = history.reduce((current: S, event) => decider.evolve(current, event), decider.initialState);
      const control = { revision: history.length, attempt: 1, signal: new AbortController().signal };
      const outcome = outcomeOf(() => decider.decide(command, state, control));
      const check = (verify: (outcome: Outcome<Event>) => void) =>
        outcome instanceof Promise ? outcome.then(verify) : verify(outcome);
      return {
        // biome-ignore lint/suspicious/noThenProperty: given/when/then names the form; TypeScript refuses to await it.
        then: (events) => check((actual) => verifyEvents(actual, events)),
        thenRefuses: (matcher) => check((actual) => verifyRefusal(actual, matcher)),
      };
    },
  };
}

function outcomeOf<Event>(decide: () => readonly Event[] | Promise<readonly Event[]>) {
  const decided = (events: readonly Event[]): Outcome<Event> => ({ events });
  const refused = (error: unknown): Outcome<Event> => ({ error });
  try {
    const events = decide();
    return events instanceof Promise ? events.then(decided, refused) : decided(events);
  } catch (error) {
    return refused(error);
  }
}

function verifyEvents<Event>(outcome: Outcome<Event>, events: readonly Event[]): void {
  if ('error' in outcome) throw outcome.error;
  expect(outcome.events).toEqual(events);
}

function verifyRefusal<Event>(outcome: Outcome<Event>, matcher: string | RegExp | ErrorClass | object): void {
  if ('events' in outcome) expect.fail(`Expected a refusal, decided ${JSON.stringify(outcome.events)}`);
  if (typeof matcher === 'string') expect(outcome.error).toMatchObject({ code: matcher });
  else if (matcher instanceof RegExp) expect(outcome.error).toHaveProperty('message', expect.stringMatching(matcher));
  else if (typeof matcher === 'function') expect(outcome.error).toBeInstanceOf(matcher);
  else expect(outcome.error).toMatchObject(matcher);
}
