import { setTimeout as pause } from 'node:timers/promises';
import { type StoredMessage, storedFrom } from '@mneme/event-store';
import { LineLimit } from '@mneme/workers/line-limit';
import { type ConsumerMessages, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { ReadModelLogger } from '../definition.ts';
import { type Buffer, type BufferLimits, createBuffer } from './buffer.ts';

// Short, because a pull that was under way when the server died is noticed to be dead after about this time only.
const pullExpiryMs = 4_000;
// By bytes, since a thousand of the largest messages would overrun the client.
const prefetchBytes = 16 * 1024 * 1024;
/**
 * How many of the requested messages are still to come when the client asks for more. Where it asks by bytes, it asks for
 * 100 messages at most, and by default again after every 25; asking costs more than receiving.
 */
const askAgainAt = 20;
const pauseAfterFailureMs = 250;

export interface FeedOptions {
  readonly connection: NatsConnection;
  readonly stream: string;
  readonly filterSubject: string;
  readonly name: string;
  readonly capacity: BufferLimits;
  readonly logger: ReadModelLogger;
}

/** The log's messages in order and without gaps, from a position on. */
export interface Feed {
  /** Takes the messages that are there, up to the limits; none after `idleMs` milliseconds without any, or after its end. */
  take(limits: BufferLimits, idleMs: number): Promise<StoredMessage[]>;
  /** True when it was stopped or its connection was closed. */
  hasEnded(): boolean;
  /** Drops what was read and goes on after the given sequence, whether that is ahead or behind. */
  seek(sequence: number): void;
  stop(): Promise<void>;
}

/** Starts reading after the sequence `after`, and goes on through restarts of the server. */
export function startFeed(options: FeedOptions, after: number): Feed {
  const buffer = createBuffer(options.capacity);
  const reader = { last: after, generation: 0, isStopped: false, messages: undefined as ConsumerMessages | undefined };
  const reading = keepReading(options, reader, buffer);
  return {
    take: buffer.take,
    hasEnded: () => reader.isStopped || options.connection.isClosed(),
    seek: (sequence) => {
      reader.generation += 1;
      reader.last = sequence;
      buffer.clear();
      reader.messages?.stop();
    },
    stop: async () => {
      reader.isStopped = true;
      buffer.close();
      reader.messages?.stop();
      await reading;
    },
  };
}

interface Reader {
  /** The last sequence put into the buffer. */
  last: number;
  /** Counts the seeks, so that a loop that was overtaken by one notices. */
  generation: number;
  isStopped: boolean;
  messages: ConsumerMessages | undefined;
}

async function keepReading(options: FeedOptions, reader: Reader, buffer: Buffer): Promise<void> {
  const isOver = () => reader.isStopped || options.connection.isClosed();
  const failures = new LineLimit();
  while (!isOver()) {
    try {
      await readOn(options, reader, buffer);
    } catch (error) {
      if (isOver()) break;
      failures.write((omitted) =>
        options.logger.warn(
          { err: error, projection: options.name, stream: options.stream, ...omitted },
          'Waiting for the event log to be readable',
        ),
      );
      await pause(pauseAfterFailureMs);
    }
  }
  buffer.close();
}

/** Reads with one ordered consumer until something about it is not as it should be. */
async function readOn(options: FeedOptions, reader: Reader, buffer: Buffer): Promise<void> {
  const { generation } = reader;
  const isOvertaken = () => reader.isStopped || generation !== reader.generation;
  const messages = await openConsumer(options, reader.last + 1);
  reader.messages = messages;
  const isNext = createOrderCheck();
  try {
    if (isOvertaken()) return;
    for await (const message of messages) {
      if (isOvertaken() || !isNext(message)) return;
      const sequence = message.info.streamSequence;
      if (sequence <= reader.last) continue;
      reader.last = sequence;
      await buffer.push(storedFrom(message));
    }
  } finally {
    messages.stop();
  }
}

async function openConsumer(options: FeedOptions, from: number): Promise<ConsumerMessages> {
  const consumer = await jetstream(options.connection).consumers.get(options.stream, {
    opt_start_seq: from,
    ...(options.filterSubject === '>' ? {} : { filter_subjects: options.filterSubject }),
  });
  return consumer.consume({ max_bytes: prefetchBytes, threshold_messages: askAgainAt, expires: pullExpiryMs });
}

/** The client recreates an ordered consumer that skipped something; this makes sure of it: each one counts from 1 without gaps. */
function createOrderCheck(): (message: JsMsg) => boolean {
  let consumer = '';
  let delivered = 0;
  return ({ info }) => {
    delivered = info.consumer === consumer ? delivered + 1 : 1;
    consumer = info.consumer;
    return info.deliverySequence === delivered;
  };
}
