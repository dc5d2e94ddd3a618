import { HistoryTooLargeError } from '../../errors.ts';
import { eventIdOf } from '../decode.ts';
import { type Log, reading, type StoredMessage } from '../log.ts';
import { readDirect } from './direct-read.ts';
import { lastFromLeader } from './leader-read.ts';

/** How many messages the server hands out in answer to one request. */
const pageSize = 1000;
/** How many bytes are held in memory at once, beside one message that is larger. */
const pageBytes = 4 * 1024 * 1024;

/** Finds the first subject that matches and has a message; undefined when there is none. */
export async function firstSubject(log: Log, pattern: string): Promise<string | undefined> {
  const query = { stream: log.stream, subject: pattern, from: 1, limit: 1, timeoutMs: log.timeoutMs };
  const page = await reading(log, () => readDirect(log.connection, query));
  return page.messages[0]?.subject;
}

/** Which messages of a subject (wildcards allowed) to read: from sequence `from` on, `maxBytes` in all at most. */
export interface SubjectRange {
  readonly subject: string;
  readonly from: number;
  readonly maxBytes: number;
}

/**
 * Reads the messages of a subject in order, one page in memory at a time.
 * @throws HistoryTooLargeError when they are larger than `maxBytes` together.
 */
export async function* readPages(
  log: Log,
  { subject, from, maxBytes }: SubjectRange,
): AsyncGenerator<readonly StoredMessage[]> {
  let next = from;
  let bytes = 0;
  for (;;) {
    const query = { stream: log.stream, subject, from: next, limit: pageSize, maxBytes: pageBytes };
    const page = await reading(log, () => readDirect(log.connection, { ...query, timeoutMs: log.timeoutMs }));
    bytes += page.messages.reduce((sum, { data }) => sum + data.byteLength, 0);
    if (bytes > maxBytes) throw new HistoryTooLargeError(subject, maxBytes);
    yield page.messages;
    const last = page.messages.at(-1);
    if (!last || page.left === 0) return;
    next = last.sequence + 1;
  }
}

/** Whether a subject is a pattern rather than the subject of one aggregate. */
export function hasWildcard(subject: string): boolean {
  return subject.split('.').some((token) => token === '*' || token === '>');
}

/** A state, and the sequence of the last event in it; 0 when there was none. */
export interface Known<S> {
  readonly state: S;
  readonly revision: number;
  /** The id of that event, where it was read from the log. */
  readonly eventId?: string | undefined;
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

/** Reads a subject page by page; only the state stays in memory. */
export async function foldSubject<S>(log: Log, fold: Fold<S>): Promise<Folded<S>> {
  const { known, ...anew } = fold;
  if (known && known.revision > 0) {
    const goneOn = await goOn(log, fold, known);
    if (goneOn) return goneOn;
  }
  const folded = await foldFrom(log, { ...anew, known: undefined }, { state: fold.initial, revision: 0 });
  return folded ?? { state: fold.initial, revision: 0, bytes: 0 };
}

/**
 * Reads on only where the last event of the subject is a later one than the known one; the leader has it in an index. A page
 * without news would make the server search all that was appended to the log since, and appends wait meanwhile.
 * @returns undefined when the known event is gone, or another one has its sequence
 */
async function goOn<S>(log: Log, fold: Fold<S>, known: Known<S>): Promise<Folded<S> | undefined> {
  const last = await lastFromLeader(log, fold.subject);
  if (last && isKnown(last, known)) return { ...known, eventId: eventIdOf(last), bytes: last.bytes };
  return last && last.sequence > known.revision ? foldFrom(log, fold, known) : undefined;
}

/**
 * Reads from the last known event on, that one included: it is the proof that the history is still the one that was folded.
 * @returns undefined when the known event is gone, or another one has its sequence, as in a log that was restored
 */
async function foldFrom<S>(log: Log, fold: Fold<S>, start: Known<S>): Promise<Folded<S> | undefined> {
  const { subject, maxBytes, evolve, known } = fold;
  let { state, revision, eventId } = start;
  let bytes = 0;
  let isProven = known === undefined;
  for await (const page of readPages(log, { subject, from: Math.max(revision, 1), maxBytes })) {
    for (const message of page) {
      bytes += message.data.byteLength;
      if (isProven) state = evolve(state, message);
      else if (!isKnown(message, start)) return undefined;
      isProven = true;
      revision = message.sequence;
      eventId = eventIdOf(message);
    }
  }
  return isProven ? { state, revision, eventId, bytes } : undefined;
}

function isKnown<S>(message: Pick<StoredMessage, 'sequence' | 'headers'>, { revision, eventId }: Known<S>): boolean {
  return message.sequence === revision && (eventId === undefined || eventIdOf(message) === eventId);
}
