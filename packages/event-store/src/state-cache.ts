import { LRUCache } from 'lru-cache';
import type { Known } from './log/reading/load.ts';

export interface StateCacheOptions<State> {
  /** How many states are kept; those used last. 10 000 unless given. */
  readonly maxStates?: number;
  /** How many bytes they may take together; 64 MiB unless given. */
  readonly maxBytes?: number;
  /** About how many bytes a state takes in memory. */
  readonly sizeOf: (state: State) => number;
}

/** The last known states of aggregates, by subject. Losing one costs a read of its history and nothing else. */
export interface StateCache<State> {
  get(subject: string): Known<State> | undefined;
  set(subject: string, known: Known<State>): void;
  delete(subject: string): void;
}

/** What an entry takes beside its state. */
const entryBytes = 200;
const mebibyte = 1024 * 1024;
/** A state that was not read for this time is dropped, in milliseconds. */
const maxAgeMs = 10 * 60_000;

/** Keeps the states of one decider in this process, bounded by number, bytes and age. */
export function createStateCache<State>(options: StateCacheOptions<State>): StateCache<State> {
  const { maxStates = 10_000, maxBytes = 64 * mebibyte, sizeOf } = options;
  const states = new LRUCache<string, Known<State>>({
    max: maxStates,
    maxSize: maxBytes,
    sizeCalculation: ({ state }) => entryBytes + Math.ceil(sizeOf(state)),
    ttl: maxAgeMs,
    updateAgeOnGet: true,
    ttlAutopurge: false,
  });
  return {
    get: (subject) => states.get(subject),
    set: (subject, known) => void states.set(subject, known),
    delete: (subject) => void states.delete(subject),
  };
}
