import type { DomainEvent } from '@mneme/contracts';
import {
  decodeEvent,
  isKnown,
  type Recorded,
  UnknownEventError,
  UnreadableEventError,
  versionOf,
} from '@mneme/event-store';
import { yieldToEventLoop } from '@mneme/workers/time-slices';
import type { Batch, ReadModelDefinition } from '../definition.ts';
import type { Deferral, Lane, QueuedMessage } from '../lanes/lane.ts';

/** The messages of a lane that are to be applied. */
export interface DueMessages {
  readonly lane: Lane;
  readonly messages: readonly QueuedMessage[];
  /** Aggregates that are deferred no more once these messages are applied. */
  readonly superseded: ReadonlySet<string>;
}

/** A message that cannot be applied, and what is to become of its aggregate. */
export interface Poison {
  readonly message: QueuedMessage;
  readonly deferral: Deferral;
  /** What reading or applying it has failed with. */
  readonly error?: unknown;
}

/** How many bytes are decoded before yielding to other work of the process. */
const bytesBeforeYield = 128 * 1024;
export const maxReasonLength = 1_000;

/** Decodes messages, and tells which of them are to be applied and which cannot be. */
export class MessageReader<E extends DomainEvent> {
  readonly #definition: ReadModelDefinition<E, unknown>;

  constructor(definition: ReadModelDefinition<E, unknown>) {
    this.#definition = definition;
  }

  /** Decodes large messages one by one, and lets other work of the process go on in between. What cannot be read shows later. */
  async decodeAhead(messages: readonly QueuedMessage[]): Promise<void> {
    let bytes = 0;
    for (const queued of messages) {
      bytes += queued.message.data.byteLength;
      if (bytes < bytesBeforeYield || !this.#isUsed(queued)) continue;
      try {
        this.#read(queued);
      } catch {
        // It is dead-lettered when its turn comes.
      }
      await yieldToEventLoop();
      bytes = 0;
    }
  }

  /** The messages of aggregates that are not deferred, or not any more because of one of these messages. */
  due(lane: Lane, messages: readonly QueuedMessage[]): DueMessages {
    const { supersedingTypes = [] } = this.#definition;
    const superseded = new Set<string>();
    const isDue = (queued: QueuedMessage) => {
      if (!isDeferred(lane, queued) || superseded.has(queued.aggregate)) return true;
      if (queued.type === undefined || !supersedingTypes.includes(queued.type)) return false;
      superseded.add(queued.aggregate);
      return true;
    };
    return { lane, messages: messages.filter(isDue), superseded };
  }

  /** The events that the read model uses. @throws UnreadableEventError */
  batchOf(due: readonly DueMessages[]): Pick<Batch<E>, 'events' | 'lanes'> {
    const lanes = due.map(({ lane, messages }) => {
      return { lane: lane.index, events: this.eventsOf(messages) };
    });
    const events = lanes.flatMap((each) => each.events);
    return { lanes, events: events.sort((left, right) => left.position.sequence - right.position.sequence) };
  }

  /** The events among messages that the read model uses, deferred or not. @throws UnreadableEventError */
  eventsOf(messages: readonly QueuedMessage[]): Recorded<E>[] {
    return messages.filter((each) => this.#isUsed(each)).map((each) => this.#read(each));
  }

  /** The first due message that no instance of this release could apply: it cannot be read, or only a newer one knows it. */
  firstPoison(lane: Lane, messages: readonly QueuedMessage[]): Poison | undefined {
    return this.firstPoisonOf(lane, this.due(lane, messages).messages);
  }

  /** The same of messages that are to be applied whether or not their aggregate is deferred. */
  firstPoisonOf(lane: Lane, messages: readonly QueuedMessage[]): Poison | undefined {
    const { catalog, ignoredTypes = [] } = this.#definition;
    for (const message of messages) {
      const { type } = message;
      if (type !== undefined && ignoredTypes.includes(type)) continue;
      if (type !== undefined && isKnown(catalog, type) && !this.#isUsed(message)) continue;
      try {
        this.#read(message);
      } catch (error) {
        if (!(error instanceof UnreadableEventError)) throw error;
        if (error instanceof UnknownEventError)
          return { message, deferral: deferralOf(lane, message, 'unknown-type', error.reason) };
        return { message, deferral: deferralOf(lane, message, 'unreadable', error.reason), error };
      }
    }
    return undefined;
  }

  #read(queued: QueuedMessage): Recorded<E> {
    queued.event ??= decodeEvent(this.#definition.catalog, queued.message);
    return queued.event as Recorded<E>;
  }

  #isUsed({ type }: QueuedMessage): boolean {
    return type !== undefined && this.#definition.types.includes(type);
  }
}

/** Whether the message belongs to an aggregate whose events are not applied from an earlier one on. */
function isDeferred(lane: Lane, { aggregate, message }: QueuedMessage): boolean {
  const deferral = lane.deferrals.get(aggregate);
  return deferral !== undefined && message.sequence >= deferral.from;
}

export function deferralOf(
  lane: Pick<Lane, 'index'>,
  queued: QueuedMessage,
  kind: Deferral['kind'],
  reason: string,
): Deferral {
  const { aggregate, message, type = null } = queued;
  const about = { aggregate, lane: lane.index, from: message.sequence, type, typeVersion: versionOf(message) ?? null };
  return { ...about, kind, reason: reason.slice(0, maxReasonLength) };
}
