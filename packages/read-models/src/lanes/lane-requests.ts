import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection, Subscription } from '@nats-io/nats-core';
import { errors } from '@nats-io/nats-core';
import { reasonOf } from '../errors.ts';
import type { Deferral } from './lane.ts';

/** What the instance that holds a lane can be asked. */
export type LaneRequest =
  | { readonly type: 'await'; readonly sequence: number; readonly aggregate: string | null; readonly waitMs: number }
  | { readonly type: 'retry'; readonly aggregate: string; readonly discarded: number | null }
  /** The asking instance can apply events that the one that holds the lane does not know. */
  | { readonly type: 'yield' };

export interface LaneAnswer {
  /** Whether the lane has reached the sequence, or the aggregate is up to date again. */
  readonly done: boolean;
  /** Why not, for people; null when time has run out. */
  readonly reason: string | null;
  /** Whether it is the events that cannot be applied, and not the lane or a store that is away just now; false unless given. */
  readonly isFault?: boolean;
  /** What waits in the lane up to the sequence: of the aggregate, or the newest of all. Older releases do not tell. */
  readonly deferrals?: readonly Deferral[];
}

/** How long to wait before the instance that holds the lane now is asked again, in milliseconds. */
const pauseMs = 50;
/** What the answer takes beside the wait, in milliseconds. */
const marginMs = 500;

/** @param key such as `memory@3` */
export function laneSubject(key: string, lane: number): string {
  return `mneme.read-models.${key.replace('@', '.')}.${lane}`;
}

/** Answers for one lane, as long as this instance holds it. */
export function answerLane(
  connection: NatsConnection,
  subject: string,
  answer: (request: LaneRequest) => Promise<LaneAnswer>,
): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return;
      const failed = (cause: unknown): LaneAnswer => ({ done: false, reason: reasonOf(cause) });
      void answer(message.json<LaneRequest>())
        .catch(failed)
        .then((given) => message.respond(JSON.stringify(given)));
    },
  });
}

/** Asks the instance that holds a lane; while no instance does, it is asked again until the time is over. */
export async function askLane(
  connection: NatsConnection,
  subject: string,
  request: LaneRequest,
  waitMs: number,
): Promise<LaneAnswer> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const leftMs = Math.max(1, deadline - performance.now());
    try {
      const asked = request.type === 'await' ? { ...request, waitMs: leftMs } : request;
      const reply = await connection.request(subject, JSON.stringify(asked), { timeout: leftMs + marginMs });
      return reply.json<LaneAnswer>();
    } catch (error) {
      const isAway = error instanceof errors.RequestError && error.isNoResponders();
      if (performance.now() + pauseMs > deadline)
        return { done: false, reason: isAway ? 'No instance applies its events' : null };
      await pause(pauseMs);
    }
  }
}
