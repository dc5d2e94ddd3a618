import type { Position } from './position.ts';

/** Who and what an event goes back to. */
export interface EventContext {
  /** The id of the request that everything which follows from it shares. */
  readonly correlationId: string;
  /** The id of the event or command that led to this one. */
  readonly causationId?: string;
  /** The caller on whose behalf it happened. */
  readonly actor?: string;
}

/** What the log knows of an event beside its type and data. */
export interface EventRecord {
  /** UUIDv7, given when the event was appended. */
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
}

/** An event as it stands in the log. */
export type Recorded<E> = E & EventRecord;
