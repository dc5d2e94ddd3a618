import type { DomainEvent } from '@mneme/contracts';
import type { HandlerOptions } from './handler-options.ts';
import type { Heartbeats, PulledMessage } from './pulled-message.ts';

/** Holds events that only a newer release can judge. */
export interface UnknownTypes {
  hold(message: PulledMessage, type: string): void;
  /** Gives back what is held. */
  stop(): void;
}

const second = 1_000;
const hour = 3_600 * second;
const logEveryMs = 60 * second;
/** So old an event of an unknown type is no matter of an upgrade under way. */
const overdueMs = 24 * hour;
/** How long an event is held after its first deliveries; then for the last of these times. */
const holdMs = [10 * second, 60 * second, 600 * second, hour, 6 * hour] as const;

/**
 * In a rolling upgrade, instances of the old release get events of types that only the new one has. They are never
 * acknowledged here, however long it takes: they are held for a growing time and then given back, so that an instance of
 * the new release may get them; it gets them at once when this one stops. They are not given back with a delay instead,
 * since no other instance could have them before it is over; and not often, since the deliveries are counted as tries.
 */
export function createUnknownTypes(
  options: Pick<HandlerOptions<DomainEvent>, 'durable' | 'stream' | 'logger' | 'onUnknownType'>,
  heartbeats: Heartbeats,
): UnknownTypes {
  const { durable, stream, logger, onUnknownType } = options;
  /** By the sequence of the event. */
  const held = new Map<number, { readonly end: () => void; readonly giveBack: () => void }>();
  let loggedAt = Number.NEGATIVE_INFINITY;
  const log = (message: PulledMessage, type: string) => {
    if (performance.now() - loggedAt < logEveryMs) return;
    loggedAt = performance.now();
    const ageMs = Math.round(Date.now() - message.timeMs);
    const facts = { durable, stream, type, sequence: message.sequence, ageMs, held: held.size };
    if (ageMs < overdueMs) logger.warn(facts, 'An event has a type that only a newer release knows, and waits for it');
    else logger.error(facts, 'An event of an unknown type has waited for a newer release for over a day');
  };
  return {
    hold: (message, type) => {
      const { sequence } = message;
      // It was handed out again because a connection was lost.
      held.get(sequence)?.end();
      // Tens of thousands may be held, and none of their data and headers is needed.
      const kept = { ...message, data: new Uint8Array(), headers: undefined };
      const endHeartbeats = heartbeats.start(kept);
      const end = () => {
        clearTimeout(timer);
        endHeartbeats();
        held.delete(sequence);
      };
      const giveBack = () => {
        end();
        try {
          kept.nak();
        } catch {
          // The connection is closed; the server gives the event to another instance when this one is silent.
        }
      };
      const timer = setTimeout(giveBack, holdMs[Math.min(message.deliveryCount, holdMs.length) - 1]);
      timer.unref();
      held.set(sequence, { end, giveBack });
      onUnknownType?.(type, durable);
      log(message, type);
    },
    stop: () => {
      for (const { giveBack } of held.values()) giveBack();
    },
  };
}
