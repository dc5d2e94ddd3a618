import { yieldToEventLoop } from '@mneme/workers/time-slices';
import { type Msg, type NatsConnection, nanos } from '@nats-io/nats-core';
import type { StoredMessage } from '../log/log.ts';

/** A message that a durable consumer has handed out, and what the consumer can be told of it. */
export interface PulledMessage extends StoredMessage {
  /** 1 for the first time. */
  readonly deliveryCount: number;
  /** Whether each try is counted from the first on, since it shows in no delivery. */
  readonly isCounted?: boolean;
  /** When it was stored, in milliseconds since 1970, by the clock of the server. */
  readonly timeMs: number;
  /** It is done. */
  ack(): void;
  /** It is to be handed out again, after a delay in milliseconds. */
  nak(delayMs?: number): void;
  /** It is still being worked on. */
  working(): void;
}

/**
 * Reads where a message stands from the subject that it is acknowledged on: `$JS.ACK.` with the domain and the account in
 * front or not, then stream, consumer, deliveries, sequence in the stream, sequence of the consumer, time, number pending.
 */
export function pulledFrom(connection: NatsConnection, { subject, headers, data, reply = '' }: Msg): PulledMessage {
  const tokens = reply.split('.');
  const first = tokens.length === shortReply ? 2 : 4;
  const [stream = '', , deliveries, sequence, , nanoseconds] = tokens.slice(first);
  const tell = (what: string) => connection.publish(reply, what);
  return {
    stream,
    sequence: Number(sequence),
    subject,
    headers,
    data,
    deliveryCount: Number(deliveries),
    timeMs: Number(nanoseconds) / 1e6,
    ack: () => tell('+ACK'),
    nak: (delayMs = 0) => tell(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: nanos(delayMs) })}` : '-NAK'),
    working: () => tell('+WPI'),
  };
}

/** How many tokens the subject has without domain and account. */
const shortReply = 9;

/** Tells the server of messages that are still worked on or wait here, so that it hands them to no other instance meanwhile. */
export interface Heartbeats {
  /** @returns ends them for this message */
  start(message: PulledMessage): () => void;
  stop(): void;
}

const heartbeatsPerAckWait = 2;
/** How many heartbeats are sent at once, in about a millisecond. Thousands of messages may wait. */
const heartbeatsBeforeYield = 250;

/** @param ackWaitMs after which the server hands a message to another instance if it hears nothing of it */
export function createHeartbeats(ackWaitMs: number): Heartbeats {
  const held = new Set<PulledMessage>();
  let isBeating = false;
  const beat = async () => {
    if (isBeating) return;
    isBeating = true;
    let sent = 0;
    try {
      for (const message of held) {
        message.working();
        sent += 1;
        if (sent % heartbeatsBeforeYield === 0) await yieldToEventLoop();
      }
    } catch {
      // The connection is closed, so that the server cannot be told; it will hand the messages to another instance.
      clearInterval(timer);
    } finally {
      isBeating = false;
    }
  };
  const timer = setInterval(() => void beat(), ackWaitMs / heartbeatsPerAckWait);
  return {
    start: (message) => {
      held.add(message);
      return () => void held.delete(message);
    },
    stop: () => clearInterval(timer),
  };
}
