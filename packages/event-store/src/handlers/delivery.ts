import type { DomainEvent } from '@mneme/contracts';
import type { Handled } from '@mneme/telemetry';
import { LineLimit } from '@mneme/workers/line-limit';
import { writeDeadLetter } from '../dead-letters/write-dead-letter.ts';
import { asError, EventLogUnavailableError, HopelessError, UnreadableEventError } from '../errors.ts';
import { decodeEvent, isKnown, typeOf, versionOf } from '../log/decode.ts';
import type { StoredMessage } from '../log/log.ts';
import type { Recorded } from '../recorded.ts';
import type { Attempts } from './attempts.ts';
import type { CompleteOptions } from './handler-options.ts';
import { aboutDelivery, observeDelivery } from './observe-delivery.ts';
import type { Heartbeats, PulledMessage } from './pulled-message.ts';
import type { UnknownTypes } from './unknown-types.ts';

/** The longest reason of a dead letter, in UTF-16 code units. It stands in a header, so the rest is cut off. */
const maxReasonLength = 1_000;

/** The longest wait that an error may ask for: one of a day would delay the event, and its caller, for days. */
const longestAskedMs = 15 * 60_000;

/** An error is no outage if another event has succeeded within this time: the longest usual wait, in milliseconds. */
const outageDoubtMs = 60_000;

/** One message at work. */
interface Delivered<E> {
  readonly message: PulledMessage;
  readonly event: Recorded<E>;
}

/** What is done with messages that were handed out. */
export interface Delivery {
  /** Whether a message is of a wanted type, or is no event; is passed over; or only a newer release can tell. */
  judge(message: StoredMessage): 'wanted' | 'unwanted' | 'unknown';
  /** Settles what needs no work: acknowledges unwanted types, holds unknown ones. False for all else. */
  settle(message: PulledMessage): boolean;
  /** Handles, acknowledges, gives back, gives up or dead-letters a message of a wanted type, or one that is no event. */
  deliver(message: PulledMessage): Promise<void>;
}

export interface DeliveryTools {
  readonly heartbeats: Heartbeats;
  readonly unknown: UnknownTypes;
  readonly attempts: Attempts;
  /** Aborted when running work is to be given back. */
  readonly signal: AbortSignal;
}

export function createDelivery<E extends DomainEvent, T extends E['type']>(
  options: CompleteOptions<E, T>,
  { heartbeats, unknown, attempts, signal }: DeliveryTools,
): Delivery {
  const wanted: ReadonlySet<string> = new Set(options.types);
  const tools = { attempts, signal, retries: new LineLimit(), lastSuccess: { atMs: Number.NEGATIVE_INFINITY } };
  const judge = (message: StoredMessage) => {
    const type = typeOf(message);
    if (type === undefined) return 'wanted';
    const isWanted = wanted.has(type);
    // Of what is not wanted, the version does not matter.
    if (!isKnown(options.catalog, type, isWanted ? versionOf(message) : 1)) return 'unknown';
    return isWanted ? 'wanted' : 'unwanted';
  };
  return {
    judge,
    settle: (message) => {
      const judgement = judge(message);
      if (judgement === 'unknown') unknown.hold(message, typeOf(message) ?? '');
      else if (judgement === 'unwanted') message.ack();
      return judgement !== 'wanted';
    },
    deliver: async (message) => {
      const endHeartbeats = heartbeats.start(message);
      try {
        const event = await readOrDeadLetter(options, message);
        if (event) await deliver(options, { message, event }, tools);
        else message.ack();
      } catch (error) {
        const waitMs = options.backoffMs(message.deliveryCount);
        const { stream, sequence } = message;
        options.logger.error(
          { handler: options.durable, stream, sequence, waitMs, err: error },
          'Could not settle an event',
        );
        message.nak(waitMs);
      } finally {
        endHeartbeats();
      }
    },
  };
}

async function readOrDeadLetter<E extends DomainEvent, T extends E['type']>(
  options: CompleteOptions<E, T>,
  message: PulledMessage,
): Promise<Recorded<Extract<E, { type: T }>> | undefined> {
  try {
    return decodeEvent(options.catalog, message) as Recorded<Extract<E, { type: T }>>;
  } catch (error) {
    if (!(error instanceof UnreadableEventError)) throw error;
    await writeDeadLetter(options.connection, message, { by: options.durable, reason: error.reason });
    const { stream, sequence } = message;
    options.logger.error(
      { handler: options.durable, stream, sequence, err: error },
      'Dead-lettered an unreadable event',
    );
    return undefined;
  }
}

type TryTools = Pick<DeliveryTools, 'attempts' | 'signal'> & {
  /** Limits the lines about events that are tried again. */
  readonly retries: LineLimit;
  /** When an event was last handled here, by the monotonic clock. */
  readonly lastSuccess: { atMs: number };
};

async function deliver<E extends DomainEvent, T extends E['type']>(
  options: CompleteOptions<E, T>,
  delivered: Delivered<Extract<E, { type: T }>>,
  tools: TryTools,
): Promise<void> {
  const { message, event } = delivered;
  const { deliveryCount } = message;
  const begun = isCounted(options, message) ? await tools.attempts.begin(message) : 0;
  // Then something is wrong with the event, or with the instances that had it.
  if (begun >= options.maxTries)
    return giveUp(options, delivered, new Error(`Interrupted ${Math.max(begun, deliveryCount - 1)} times`));
  return observeDelivery({ handler: options.durable, ...delivered }, async () => {
    try {
      const done = await untilAborted(options.handle(event, { deliveryCount, signal: tools.signal }), tools.signal);
      if (done !== 'idle') tools.lastSuccess.atMs = performance.now();
    } catch (error) {
      return afterFailure(options, delivered, error, tools);
    }
    // It is tried again if the process ends before the consumer hands it out, however often it was done.
    if (message.isCounted) await tools.attempts.handBack(message).catch(() => undefined);
    message.ack();
    return 'done';
  });
}

/** Whether it is written down that a try begins, since too many that end in nothing are a reason to give up. */
function isCounted({ maxTries }: Pick<CompleteOptions<never>, 'maxTries'>, message: PulledMessage): boolean {
  return message.isCounted === true || message.deliveryCount > maxTries;
}

/** Lets go of work that does not end by itself when the handler is stopped. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function afterFailure<E extends DomainEvent, T extends E['type']>(
  options: CompleteOptions<E, T>,
  delivered: Delivered<Extract<E, { type: T }>>,
  thrown: unknown,
  { attempts, signal, retries, lastSuccess }: TryTools,
): Promise<Handled['outcome']> {
  const { message } = delivered;
  const error = asError(thrown);
  // A log that is away says nothing about the event, and no failure could be recorded in it either.
  const isAway =
    error instanceof EventLogUnavailableError ||
    (options.isOutage?.(error) === true && performance.now() - lastSuccess.atMs > outageDoubtMs);
  if ((signal.aborted || isAway) && isCounted(options, message)) await attempts.handBack(message);
  if (signal.aborted) {
    message.nak();
    return 'handed-back';
  }
  const isHopeless = error instanceof HopelessError;
  const tries = isAway || isHopeless ? message.deliveryCount : await attempts.fail(message);
  if (isAway || (!isHopeless && tries < options.maxTries)) {
    const waitMs = Math.max(options.backoffMs(tries), askedMs(options, error));
    const about = { ...aboutDelivery({ handler: options.durable, ...delivered }), waitMs, err: error };
    retries.write((omitted) => options.logger.warn({ ...about, ...omitted }, 'An event will be tried again'));
    message.nak(waitMs);
    return 'retried';
  }
  options.logger.error(
    { ...aboutDelivery({ handler: options.durable, ...delivered }), err: error },
    'An event is given up',
  );
  await giveUp(options, delivered, error);
  return 'given-up';
}

/** How long an error asks to wait, within bounds. */
function askedMs({ retryAfterMs }: Pick<CompleteOptions<never>, 'retryAfterMs'>, error: Error): number {
  return Math.min(retryAfterMs?.(error) ?? 0, longestAskedMs);
}

async function giveUp<E extends DomainEvent, T extends E['type']>(
  { onExhausted, connection, durable }: CompleteOptions<E, T>,
  { message, event }: Delivered<Extract<E, { type: T }>>,
  error: Error,
): Promise<void> {
  if (onExhausted !== 'dead-letter') await onExhausted(event, error);
  else
    await writeDeadLetter(connection, message, {
      by: durable,
      reason: error.message.slice(0, maxReasonLength).toWellFormed(),
    });
  message.ack();
}
