/** A place in a JetStream stream; `sequence` counts from 1, and 0 stands for "before the first event". */
export interface Position {
  readonly stream: string;
  readonly sequence: number;
}

/** Writes a position as it travels in headers, for example `MEMORY:42`. */
export function formatPosition(position: Position): string {
  return `${position.stream}:${position.sequence}`;
}

/** Reads what {@link formatPosition} wrote; undefined for anything else. */
export function parsePosition(text: string): Position | undefined {
  const match = /^([\w-]{1,64}):(0|[1-9]\d{0,14})$/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { stream: match[1], sequence: Number(match[2]) };
}

/** Who and what an event goes back to. */
export interface EventContext {
  /** The id of the request that everything which follows from it shares. */
  readonly correlationId: string;
  /** The id of the event or command that led to this one. */
  readonly causationId?: string;
  /** The caller on whose behalf it happened. */
  readonly actor?: string;
  /** More about it, as CloudEvents extensions: names of at most 20 lower-case letters and digits, any text as values. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** For the one event of an append: an id of the caller's. Within two minutes the same id again appends nothing. */
  readonly eventId?: string;
  /** Aborted when the caller does not wait any more. `execute` looks at it where it is given as its option. */
  readonly signal?: AbortSignal;
}

/** What the log knows of an event beside its type and data. */
export interface EventRecord {
  /** UUIDv7, given when the event was appended, unless the caller has chosen another. */
  readonly id: string;
  /** The version that it was written in; its data are those of the current version. */
  readonly version: number;
  /** The service that appended it. */
  readonly source: string;
  readonly subject: string;
  /** ISO 8601 in UTC with milliseconds, by the clock of the service that appended it. */
  readonly time: string;
  readonly position: Position;
  readonly correlationId: string;
  readonly causationId: string | undefined;
  readonly actor: string | undefined;
  /** The place in a trace that it was appended at, as W3C Trace Context writes it; undefined if that was not traced. */
  readonly traceparent?: string | undefined;
  /** What else it was given, by name. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The context of the events that follow from a recorded event. */
export function causedBy({ correlationId, id, actor }: EventRecord): EventContext {
  return { correlationId, causationId: id, ...(actor !== undefined && { actor }) };
}

/** An event as it stands in the log. */
export type Recorded<E> = E & EventRecord;
