import { isDeepStrictEqual } from 'node:util';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  ReplayPolicy,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { HandlerOptions } from './handler-options.ts';

export type ConsumerOptions = Pick<
  HandlerOptions<never>,
  'connection' | 'stream' | 'durable' | 'filterSubject' | 'startSequence' | 'inactiveMs' | 'ackWaitMs' | 'headersOnly'
>;

/**
 * How many events may be in work, wait for their turn or for their next try, in all instances. The workers bound what is in
 * work. A smaller number here would let events that fail, or that only a newer release knows, hold up all others.
 */
const maxUnsettled = 50_000;

/** Makes the durable consumer, or brings what may change about it up to date. */
export async function ensureConsumer(options: ConsumerOptions): Promise<void> {
  const manager = await jetstreamManager(options.connection, { checkAPI: false });
  const changeable = {
    ...filterOf(options.filterSubject),
    ack_wait: nanos(options.ackWaitMs),
    max_ack_pending: maxUnsettled,
    // Also when it is not: another release may have made it so.
    headers_only: options.headersOnly ?? false,
  };
  const existing = await configOf(manager, options);
  if (!existing) await manager.consumers.add(options.stream, { ...fixedConfig(options), ...changeable });
  // The server leaves out what is false.
  else if (differs({ headers_only: false, ...existing }, changeable))
    await manager.consumers.update(options.stream, options.durable, changeable);
}

/** Removes a durable consumer, and with it how far it is; does nothing where there is none. */
export async function removeConsumer(
  { connection, stream }: Pick<ConsumerOptions, 'connection' | 'stream'>,
  durable: string,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  await manager.consumers.delete(stream, durable).catch((error: unknown) => {
    if (!isConsumerMissing(error)) throw error;
  });
}

function filterOf(subjects: string | readonly string[]): Partial<ConsumerConfig> {
  return typeof subjects === 'string' ? { filter_subject: subjects } : { filter_subjects: [...subjects] };
}

function fixedConfig({ durable, startSequence, inactiveMs }: ConsumerOptions): Partial<ConsumerConfig> {
  const beginning =
    startSequence === undefined
      ? { deliver_policy: DeliverPolicy.All }
      : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: startSequence };
  return {
    durable_name: durable,
    ack_policy: AckPolicy.Explicit,
    ...beginning,
    ...(inactiveMs !== undefined && { inactive_threshold: nanos(inactiveMs) }),
    replay_policy: ReplayPolicy.Instant,
    // The bound on tries is kept here and not by the server, which would drop the event silently.
    max_deliver: -1,
  };
}

async function configOf(manager: JetStreamManager, options: ConsumerOptions): Promise<ConsumerConfig | undefined> {
  try {
    return (await manager.consumers.info(options.stream, options.durable)).config;
  } catch (error) {
    if (isConsumerMissing(error)) return undefined;
    throw error;
  }
}

function isConsumerMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;
}

function differs(existing: ConsumerConfig, wanted: Partial<ConsumerConfig>): boolean {
  return Object.entries(wanted).some(
    ([key, value]) => !isDeepStrictEqual(existing[key as keyof ConsumerConfig], value),
  );
}

/** How many messages have not been acknowledged yet, delivered or not. */
export async function pendingOf(options: ConsumerOptions): Promise<number> {
  const manager = await jetstreamManager(options.connection, { checkAPI: false });
  const info = await manager.consumers.info(options.stream, options.durable);
  return info.num_pending + info.num_ack_pending;
}
