import type { DomainEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { chunks } from '@mneme/workers/chunks';

/** How the records of a bucket follow from events; pure. */
export interface RecordRules<E extends DomainEvent, R> {
  /** The types of events that matter. */
  readonly types: readonly E['type'][];
  /** The keys of the records that an event reads or changes. */
  keysOf(event: E): readonly string[];
  /** The records that an event changes, as they are after it. */
  change(event: Recorded<E>, record: (key: string) => R | undefined): ReadonlyMap<string, R>;
  /** Whether a record is of something that has ended; such are written after those that go on from them. */
  hasEnded(record: R): boolean;
  /** Whether a record is of something that will end; such are written after the rest, and before those that have ended. */
  isEnding?(record: R): boolean;
  /**
   * True where events of several aggregates change one record, and their order makes no difference. Such a record keeps
   * the sequence of the last event, also when an earlier one is applied after it.
   */
  readonly isUnordered?: boolean;
}

/** Applies an event to records, passing over those that are of the same time or later. */
export function foldEvent<E extends DomainEvent, R extends { readonly sequence: number }>(
  rules: RecordRules<E, R>,
  records: Map<string, R>,
  event: Recorded<E>,
): void {
  for (const [key, changed] of rules.change(event, (of) => records.get(of))) {
    if (isReplacedBy(rules, records.get(key), changed)) records.set(key, changed);
  }
}

/** Whether a record takes the place of another one. */
export function isReplacedBy<R extends { readonly sequence: number }>(
  { isUnordered = false }: Pick<RecordRules<never, R>, 'isUnordered'>,
  before: R | undefined,
  changed: R,
): boolean {
  if (!before) return true;
  return isUnordered ? before.sequence <= changed.sequence : before.sequence < changed.sequence;
}

/** The rules by which records are written one after another. */
export type WriteOrder<R> = Pick<RecordRules<never, R>, 'hasEnded' | 'isEnding'>;

/** Writes records side by side, but what ends or has ended after what goes on from it: a crash in between loses nothing. */
export async function writeInOrder<R>(
  rules: WriteOrder<R>,
  records: Iterable<[key: string, record: R]>,
  write: (key: string, record: R) => Promise<boolean>,
): Promise<number> {
  const stageOf = (record: R): number => (rules.hasEnded(record) ? 2 : rules.isEnding?.(record) ? 1 : 0);
  const stages = Map.groupBy(records, ([, record]) => stageOf(record));
  let count = 0;
  for (const stage of [0, 1, 2]) {
    count += await inChunks(stages.get(stage) ?? [], ([key, record]) => write(key, record));
  }
  return count;
}

/** Does something with each item, a bounded number at once; counts how often it has answered true. */
export async function inChunks<T>(items: readonly T[], act: (item: T) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (const chunk of chunks(items, atOnce)) {
    const done = await Promise.all(chunk.map(act));
    count += done.filter(Boolean).length;
  }
  return count;
}

/** How many records are read or written side by side. */
const atOnce = 64;
