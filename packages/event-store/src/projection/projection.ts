import type { Recorded } from '../recorded.ts';

/** How far one `apply` moves the checkpoint. */
export interface Advance {
  /** Where the checkpoint must stand now. */
  readonly from: number;
  /** Where it stands afterwards; at least the sequence of the last event applied. */
  readonly to: number;
}

/** A fold of the log into a store, together with its checkpoint in that same store. */
export interface Projection<E> {
  readonly name: string;
  /** The version of the read model; versions are filled side by side. */
  readonly version: number;
  /** The types that it uses; others only move its position and are not parsed. All types of the catalog unless given. */
  readonly types?: readonly string[];
  /** The sequence up to which the store is filled; 0 for an empty one. */
  readPosition(): Promise<number>;
  /**
   * Writes events, in order, and moves the checkpoint from `advance.from` to `advance.to`, both or neither. There may be no events at all.
   * @throws FencedError when the checkpoint is not at `advance.from`; nothing was written then.
   */
  apply(events: readonly Recorded<E>[], advance: Advance): Promise<void>;
}

/** How a projection is called where names must be one word: `units@3`. */
export function projectionKey(projection: { name: string; version: number }): string {
  return `${projection.name}@${projection.version}`;
}
