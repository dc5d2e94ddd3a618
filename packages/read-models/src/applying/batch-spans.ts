import type { DomainEvent } from '@mneme/contracts';
import { isTraceparent, pastSpan } from '@mneme/telemetry';
import type { Batch } from '../definition.ts';

/** A batch may have events of many requests; at most this many of their traces show it. */
const maxSpans = 100;

export interface BatchSpansOptions {
  /** Of the read model, with its version. */
  readonly key: string;
  /** Whether an event was appended after the version was started; others are replayed, and their traces are over. */
  readonly isNew: (sequence: number) => boolean;
}

/** Shows in the traces of a batch's events that they were applied, and when. @param from in milliseconds since 1970 */
export function showInTraces<E extends DomainEvent>(
  { key, isNew }: BatchSpansOptions,
  batch: Pick<Batch<E>, 'events'>,
  from: number,
) {
  const parents = parentsOf(batch, isNew);
  if (parents.length === 0) return;
  const to = Date.now();
  const attributes = { 'mneme.read_model': key, 'messaging.batch.message_count': batch.events.length };
  for (const parent of parents)
    pastSpan(`apply ${key}`, { by: 'read-models', kind: 'CONSUMER', attributes, parent, from, to });
}

/** One for each append: its events share their place in the trace. */
function parentsOf<E extends DomainEvent>(
  { events }: Pick<Batch<E>, 'events'>,
  isNew: (sequence: number) => boolean,
): string[] {
  const found = new Set<string>();
  for (const { traceparent, position } of events) {
    if (traceparent === undefined || found.size === maxSpans || !isNew(position.sequence)) continue;
    if (isTraceparent(traceparent)) found.add(traceparent);
  }
  return [...found];
}
