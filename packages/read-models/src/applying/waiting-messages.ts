import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import {
  EventLogUnavailableError,
  type Log,
  nextSequence,
  readDirect,
  type StoredMessage,
  typeOf,
} from '@mneme/event-store';
import type { ReadModelDefinition } from '../definition.ts';
import type { Lane, QueuedMessage } from '../lanes/lane.ts';

export interface WaitingMessagesOptions<E extends DomainEvent> {
  readonly definition: Pick<ReadModelDefinition<E, unknown>, 'subjects' | 'lanes'>;
  readonly log: Log;
}

/** A part of what an aggregate has waited with. */
export interface WaitingRange {
  readonly lane: Lane;
  readonly aggregate: string;
  readonly from: number;
  readonly upTo: number;
}

export interface WaitingPage {
  readonly messages: readonly QueuedMessage[];
  /** Where the next page begins; beyond the range after the last one. */
  readonly next: number;
}

const page = { limit: 250, maxBytes: 4 * 1024 * 1024, timeoutMs: 5_000 };
/** How long to wait for a replica that is behind the leader, in milliseconds, and how often. */
const replicaPauseMs = 50;
const maxPauses = 100;

/**
 * Reads one page of a lane, and picks the messages of an aggregate.
 * @throws EventLogUnavailableError when the log does not answer, or only replicas do that stay behind
 */
export async function readWaiting<E extends DomainEvent>(
  { definition, log }: WaitingMessagesOptions<E>,
  range: WaitingRange,
): Promise<WaitingPage> {
  const { lane, from, upTo } = range;
  const subject = definition.lanes.subjectOf?.(lane.index) ?? definition.subjects ?? '>';
  for (let pauses = 0; pauses <= maxPauses; pauses += 1) {
    const { messages } = await readDirect(log.connection, { stream: log.stream, subject, from, ...page });
    const last = messages.at(-1);
    if (last) return { messages: await pick(definition, range, messages), next: Math.min(last.sequence, upTo) + 1 };
    // The leader knows whether there is more; the replica that has answered may be behind it.
    const next = await nextSequence(log, subject, from);
    if (next === undefined || next > upTo) return { messages: [], next: upTo + 1 };
    await pause(replicaPauseMs);
  }
  throw new EventLogUnavailableError(`The replicas of ${log.stream} stay behind their leader`);
}

async function pick<E extends DomainEvent>(
  { lanes }: WaitingMessagesOptions<E>['definition'],
  { aggregate, upTo }: WaitingRange,
  messages: readonly StoredMessage[],
): Promise<QueuedMessage[]> {
  const picked: QueuedMessage[] = [];
  for (const message of messages) {
    if (message.sequence > upTo) break;
    if ((await lanes.aggregateOf(message)) === aggregate) picked.push({ message, aggregate, type: typeOf(message) });
  }
  return picked;
}
