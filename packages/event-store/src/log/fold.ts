import { readPages } from './load.ts';
import type { Log } from './log.ts';
import type { StoredMessage } from './stored-message.ts';

/** A state, and the sequence of the last event in it; 0 when there was none. */
export interface Known<S> {
  readonly state: S;
  readonly revision: number;
}

/** What became of a state by the events of a subject. */
export interface Folded<S> extends Known<S> {
  /** How many bytes of data were read for it. */
  readonly bytes: number;
}

export interface Fold<S> {
  readonly subject: string;
  readonly maxBytes: number;
  readonly initial: S;
  readonly known: Known<S> | undefined;
  readonly evolve: (state: S, message: StoredMessage) => S;
}

/** Reads a subject page by page and keeps nothing of it but the state. */
export async function foldSubject<S>(log: Log, fold: Fold<S>): Promise<Folded<S>> {
  const { known, ...anew } = fold;
  if (known && known.revision > 0) {
    const goneOn = await foldFrom(log, fold, known);
    if (goneOn) return goneOn;
  }
  const folded = await foldFrom(log, { ...anew, known: undefined }, { state: fold.initial, revision: 0 });
  return folded ?? { state: fold.initial, revision: 0, bytes: 0 };
}

/**
 * Reads from the last known event on, that one included: it is the proof that the history is still the one that was folded.
 * @returns undefined when the known event is gone
 */
async function foldFrom<S>(log: Log, fold: Fold<S>, start: Known<S>): Promise<Folded<S> | undefined> {
  const { subject, maxBytes, evolve, known } = fold;
  let { state, revision } = start;
  let bytes = 0;
  let isProven = known === undefined;
  for await (const page of readPages(log, { subject, from: Math.max(revision, 1), maxBytes })) {
    for (const message of page) {
      bytes += message.data.byteLength;
      if (isProven) state = evolve(state, message);
      else if (message.sequence !== revision) return undefined;
      isProven = true;
      revision = message.sequence;
    }
  }
  return isProven ? { state, revision, bytes } : undefined;
}
