import { within } from '@mneme/workers/waits';
import type { NatsConnection } from '@nats-io/nats-core';
import { EventLogUnavailableError } from '../errors.ts';

/** A loss of the connection that is over within this time is waited out, in milliseconds. */
const toleranceMs = 1_500;
/** How often something is asked that is lost with its connection. */
const maxAsks = 2;

/** Spares requests the wait for an answer that cannot come, because the connection is known to be lost. */
export interface ConnectionWatch {
  /**
   * Resolves when the connection is up: at once, or when it returns soon after it was lost.
   * @throws EventLogUnavailableError when it has been lost for 1.5 s.
   */
  untilUp(): Promise<void>;
  /**
   * Waits for an answer as long as the connection that the request went over is there.
   * @throws EventLogUnavailableError when that is lost; whether the request was carried out is not known then.
   */
  whileUp<T>(answer: Promise<T>): Promise<T>;
  /**
   * Asks what may be asked twice: when the connection is up, and once more when it was lost before the answer came.
   * @throws EventLogUnavailableError when the connection does not return soon, or is lost again.
   */
  ask<T>(send: () => Promise<T>): Promise<T>;
}

/**
 * Watches a connection, which does not tell whether it is up, until it is closed. A server that vanished without closing
 * the socket is only noticed by the connection's own heartbeats; until then requests run into their timeouts.
 */
export function watchConnection(connection: NatsConnection): ConnectionWatch {
  const state = new LinkState();
  void follow(connection, state);
  return {
    untilUp: () => untilUp(state),
    whileUp: (answer) => whileUp(state, answer),
    ask: (send) => ask(state, send),
  };
}

class LinkState {
  /** By `performance.now()`; undefined while the connection is up. */
  lostAt: number | undefined;
  /** How often it was lost. */
  losses = 0;
  /** Those who are to be told when the connection is lost, or is back. */
  readonly listeners = new Set<() => void>();

  lose(): void {
    this.lostAt ??= performance.now();
    this.losses += 1;
    this.#tell();
  }

  regain(): void {
    this.lostAt = undefined;
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

async function follow(connection: NatsConnection, state: LinkState): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === 'disconnect') state.lose();
    else if (type === 'reconnect') state.regain();
  }
}

async function untilUp(state: LinkState): Promise<void> {
  while (state.lostAt !== undefined) {
    const leftMs = state.lostAt + toleranceMs - performance.now();
    if (leftMs <= 0) throw lost();
    await nextChange(state, leftMs);
  }
}

/** Resolves at the next change, and after `timeoutMs` at the latest. */
async function nextChange({ listeners }: LinkState, timeoutMs: number): Promise<void> {
  const { promise: changed, resolve: onChange } = Promise.withResolvers<void>();
  listeners.add(onChange);
  try {
    await within(changed, timeoutMs);
  } finally {
    listeners.delete(onChange);
  }
}

async function whileUp<T>(state: LinkState, answer: Promise<T>): Promise<T> {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  const onChange = () => reject(lost());
  state.listeners.add(onChange);
  try {
    return await Promise.race([answer, broken]);
  } finally {
    state.listeners.delete(onChange);
  }
}

async function ask<T>(state: LinkState, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    await untilUp(state);
    const before = state.losses;
    try {
      return await whileUp(state, send());
    } catch (error) {
      if (state.losses === before || attempt === maxAsks) throw error;
    }
  }
}

function lost(): EventLogUnavailableError {
  return new EventLogUnavailableError('The connection to the event log is lost');
}
