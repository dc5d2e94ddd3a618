import type { AccessEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';

/** How the records of a bucket follow from events; pure. */
export interface RecordRules<R> {
  /** The types of events that matter. */
  readonly types: readonly AccessEvent['type'][];
  /** The keys of the records that an event reads or changes. */
  keysOf(event: AccessEvent): readonly string[];
  /** The records that an event changes, as they are after it. */
  change(event: Recorded<AccessEvent>, record: (key: string) => R | undefined): ReadonlyMap<string, R>;
  /** Whether a record is of something that has ended; such are written after those that go on from them. */
  hasEnded(record: R): boolean;
}

/** Applies an event to records, passing over those that are of the same time or later. */
export function foldEvent<R extends { readonly sequence: number }>(
  rules: RecordRules<R>,
  records: Map<string, R>,
  event: Recorded<AccessEvent>,
): void {
  for (const [key, changed] of rules.change(event, (of) => records.get(of))) {
    if ((records.get(key)?.sequence ?? 0) < changed.sequence) records.set(key, changed);
  }
}
