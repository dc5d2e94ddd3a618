import type { DomainEvent } from '@mneme/contracts';
import { type Log, readUpTo, type StoredMessage, typeOf } from '@mneme/event-store';
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
  /** Where the next page begins. */
  readonly next: number;
}

/**
 * Reads a lane page by page, and picks the messages of an aggregate.
 * @throws EventLogUnavailableError when the log does not answer, or only replicas do that stay behind
 */
export async function* readWaiting<E extends DomainEvent>(
  { definition, log }: WaitingMessagesOptions<E>,
  { lane, aggregate, from, upTo }: WaitingRange,
): AsyncGenerator<WaitingPage> {
  const subject = definition.lanes.subjectOf?.(lane.index) ?? definition.subjects ?? '>';
  for await (const messages of readUpTo(log, { subject, from, upTo })) {
    const next = (messages.at(-1)?.sequence ?? upTo) + 1;
    yield { messages: await pick(definition, aggregate, messages), next };
  }
}

async function pick<E extends DomainEvent>(
  { lanes }: WaitingMessagesOptions<E>['definition'],
  aggregate: string,
  messages: readonly StoredMessage[],
): Promise<QueuedMessage[]> {
  const picked: QueuedMessage[] = [];
  for (const message of messages) {
    if ((await lanes.aggregateOf(message)) === aggregate) picked.push({ message, aggregate, type: typeOf(message) });
  }
  return picked;
}
