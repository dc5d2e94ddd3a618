import type { DomainEvent } from '@mneme/contracts';
import type { Recorded } from '../recorded.ts';

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
}

/** Applies an event to records, passing over those that are of the same time or later. */
export function foldEvent<E extends DomainEvent, R extends { readonly sequence: number }>(
  rules: RecordRules<E, R>,
  records: Map<string, R>,
  event: Recorded<E>,
): void {
  for (const [key, changed] of rules.change(event, (of) => records.get(of))) {
    if ((records.get(key)?.sequence ?? 0) < changed.sequence) records.set(key, changed);
  }
}
