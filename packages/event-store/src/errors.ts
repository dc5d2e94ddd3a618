import type { Position } from './recorded.ts';

/** What was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The subject has moved on since it was loaded: load it again and decide again. Nothing was written. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly subject: string;
  readonly expected: number;

  constructor(subject: string, expected: number, options?: ErrorOptions) {
    super(`${subject} is no longer at revision ${expected}`, options);
    this.subject = subject;
    this.expected = expected;
  }
}

/** One event does not fit into one message. Nothing was written. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
  readonly type: string;
  readonly bytes: number;
  readonly maxBytes: number;

  constructor(type: string, bytes: number, maxBytes: number) {
    super(`${type} takes ${bytes} bytes with its headers; the event log takes ${maxBytes} in one message`);
    this.type = type;
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }
}

/** More events, or bytes of them, than one atomic batch can hold. Nothing was written. */
export class BatchTooLargeError extends Error {
  override readonly name = 'BatchTooLargeError';

  constructor(size: number, most: number, unit: 'events' | 'bytes') {
    super(`${size} ${unit} in one append; the event log takes ${most} at once`);
  }
}

/** The history of one aggregate has more bytes than may be read for one decision. Nothing was written. */
export class HistoryTooLargeError extends Error {
  override readonly name = 'HistoryTooLargeError';
  readonly subject: string;
  readonly maxBytes: number;

  constructor(subject: string, maxBytes: number) {
    super(`The history of ${subject} has more than ${maxBytes} bytes`);
    this.subject = subject;
    this.maxBytes = maxBytes;
  }
}

/** An event that its own type's schema refuses, or whose type the catalog lacks: a fault in the calling code. Nothing was written. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
}

/** The event log did not answer: no server, no leader, a timeout, a closed connection, a full disk. */
export class EventLogUnavailableError extends Error {
  override readonly name: string = 'EventLogUnavailableError';
  /** True when the events of a failed append may have been written all the same; retrying with the same command must expect that. */
  readonly mayBeWritten: boolean;

  constructor(message: string, options: ErrorOptions & { mayBeWritten?: boolean } = {}) {
    super(message, options);
    this.mayBeWritten = options.mayBeWritten ?? false;
  }
}

/** The servers of the event log answer, and one of its streams is not there. */
export class StreamMissingError extends EventLogUnavailableError {
  override readonly name = 'StreamMissingError';

  constructor(stream: string, options?: ErrorOptions) {
    super(`The stream ${stream} is missing`, options);
  }
}

/** A server of the event log did not answer in time; it may be away, or busy with the question. */
export class SilentServerError extends EventLogUnavailableError {}

/** A JetStream stream that exists cannot be an event log, since it would lose messages; the message says what to do. */
export class StreamUnfitError extends Error {
  override readonly name = 'StreamUnfitError';
}

/** Several NATS servers are to store streams, and the one that answers belongs to no cluster. */
export class NoClusterError extends Error {
  override readonly name = 'NoClusterError';

  constructor(replicas: number, options?: ErrorOptions) {
    const count = replicas === 3 ? 'three' : replicas;
    super(
      `STREAM_REPLICAS=${replicas} needs a cluster of ${count} NATS servers; this one has none. Set it to 1, or see ` +
        'docs/deploying.md (From one server to a cluster)',
      options,
    );
  }
}

/** NATS may not store as much as a bucket reserves; the message says how much that is, and which setting limits it. */
export class NatsStorageTooSmallError extends Error {
  override readonly name = 'NatsStorageTooSmallError';

  constructor(bucket: string, maxBytes: number, options: ErrorOptions) {
    const mebibytes = Math.ceil(maxBytes / 1024 ** 2);
    super(
      `NATS has too little storage for the bucket ${bucket}, which reserves ${mebibytes} MiB beside what other buckets ` +
        'reserve: raise NATS_MAX_FILE_STORE (max_file_store of NATS), or free disk space in the folder of NATS where that ' +
        'is set by the free space (DATA_DIR/nats with npm start), and restart NATS',
      options,
    );
  }
}

/** More callers wait for the same thing than can be served soon. Nothing was written; the same command may succeed later. */
export class TooManyWaitingError extends Error {
  override readonly name = 'TooManyWaitingError';

  /** @param what what they wait for, such as `a new key` */
  constructor(what: string) {
    super(`Too many ask for ${what} at once, try again later`);
  }
}

/** Thrown by a handler for an event that would fail again and again: it is given up at once. */
export class HopelessError extends Error {
  override readonly name = 'HopelessError';
}

/** A stored message that cannot be turned into an event of the catalog: bad headers, an unknown type, a newer version, data off its schema. */
export class UnreadableEventError extends Error {
  override readonly name: string = 'UnreadableEventError';
  readonly position: Position;
  readonly reason: string;

  constructor(position: Position, reason: string, options?: ErrorOptions) {
    super(`The message at ${position.stream}:${position.sequence} cannot be read: ${reason}`, options);
    this.position = position;
    this.reason = reason;
  }
}

/** A stored message of a type, or of a version of one, that only a newer release knows. */
export class UnknownEventError extends UnreadableEventError {
  override readonly name = 'UnknownEventError';
}
