import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type JsMsg,
  jetstreamManager,
} from '@nats-io/jetstream';
import { errors, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import { EventLogUnavailableError, StreamMissingError } from '../errors.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import { leaveInvalidHeadersOut } from './lenient-headers.ts';
import { maxPayload } from './writing/parts.ts';

leaveInvalidHeadersOut();

/** One JetStream stream and the ways to reach it. */
export interface Log {
  readonly connection: NatsConnection;
  /** Without one, requests over a lost connection run into their timeouts. */
  readonly watch?: ConnectionWatch | undefined;
  /** The client's interface to the stream's leader. */
  readonly manager: () => Promise<JetStreamManager>;
  readonly stream: string;
  /**
   * How long one append or one load may take in all, in milliseconds. An append of many megabytes may take longer as long as
   * the server answers each part of it in time.
   */
  readonly timeoutMs: number;
}

/** The longest wait for one answer; an answer that a broken connection has swallowed never comes. */
export const answerTimeoutMs = 2_000;

/** Points at a JetStream stream; nothing is asked of the server yet. */
export function openLog(
  connection: NatsConnection,
  stream: string,
  { timeoutMs = 5_000, watch }: Partial<Pick<Log, 'timeoutMs' | 'watch'>> = {},
): Log {
  let manager: Promise<JetStreamManager> | undefined;
  // For when it is lost: the first append may come then.
  maxPayload(connection);
  return {
    connection,
    stream,
    timeoutMs,
    watch,
    manager: () => {
      manager ??= jetstreamManager(connection, { checkAPI: false, timeout: Math.min(answerTimeoutMs, timeoutMs) });
      return manager;
    },
  };
}

/** Whether the request surely reached no server, so that nothing can have been written. */
export function isUndelivered(error: unknown): boolean {
  return (
    (error instanceof errors.RequestError && error.isNoResponders()) ||
    error instanceof errors.NoRespondersError ||
    error instanceof errors.ClosedConnectionError ||
    error instanceof errors.DrainingConnectionError
  );
}

/** Whether the server has said that a stream does not exist. */
export function isStreamMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/** Runs a read; whatever the client throws becomes an EventLogUnavailableError that keeps it as its cause. */
export async function reading<T>(log: Pick<Log, 'stream' | 'watch'>, read: () => Promise<T>): Promise<T> {
  try {
    return await (log.watch ? log.watch.ask(read) : read());
  } catch (error) {
    if (error instanceof EventLogUnavailableError) throw error;
    if (isStreamMissing(error)) throw new StreamMissingError(log.stream, { cause: error });
    throw new EventLogUnavailableError(`The event log ${log.stream} could not be read`, { cause: error });
  }
}

/** A message of a JetStream stream, whichever way it was read. */
export interface StoredMessage {
  readonly stream: string;
  readonly sequence: number;
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
}

/** The view of a delivered message that the rest of the package works with. */
export function storedFrom(message: JsMsg): StoredMessage {
  const { info, subject, headers, data } = message;
  return { stream: info.stream, sequence: info.streamSequence, subject, headers, data };
}
