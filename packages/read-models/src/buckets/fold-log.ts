import type { DomainEvent } from '@mneme/contracts';
import {
  decodeEvent,
  eventIdOf,
  isKnown,
  type Log,
  type Recorded,
  readUpTo,
  type StoredMessage,
  streamState,
  typeOf,
  UnknownEventError,
  UnreadableEventError,
} from '@mneme/event-store';
import { deferralOf } from '../applying/message-reader.ts';
import type { ReadModelDefinition } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import type { SeenEvent } from '../lanes/checkpoints.ts';
import type { Deferral } from '../lanes/lane.ts';
import { foldEvent, type RecordRules } from './record-rules.ts';

export interface FoldOptions<E extends DomainEvent, R> {
  readonly log: Log;
  readonly definition: Pick<ReadModelDefinition<E, unknown>, 'catalog' | 'subjects' | 'lanes'>;
  readonly rules: RecordRules<E, R>;
  /** Aggregates whose events are left out from some place on. */
  readonly deferred: readonly Deferral[];
  readonly signal: AbortSignal;
}

export interface FoldedLog<R> {
  readonly records: ReadonlyMap<string, R>;
  /** The sequence up to which they are folded. */
  readonly position: number;
  readonly lastEvent: SeenEvent | null;
  /** When the stream was created. */
  readonly createdAt: string;
  /** The first events that could not be applied, with their messages; the rest of their aggregates is left out. */
  readonly failed: readonly { readonly deferral: Deferral; readonly message: StoredMessage }[];
}

/** Works out the records from the whole log, in memory: some 500 bytes for each that there ever was. */
export async function foldLog<E extends DomainEvent, R extends { readonly sequence: number }>({
  log,
  definition: { catalog, lanes, subjects: subject = '>' },
  rules,
  deferred,
  signal,
}: FoldOptions<E, R>): Promise<FoldedLog<R>> {
  const { createdAt, head } = await streamState(log);
  const records = new Map<string, R>();
  const failed = new Map<string, FoldedLog<R>['failed'][number]>();
  const deferredFrom = new Map(deferred.map(({ aggregate, from }) => [aggregate, from]));
  let lastEvent: SeenEvent | null = null;
  const take = async (message: StoredMessage) => {
    const { sequence } = message;
    const id = eventIdOf(message);
    if (id) lastEvent = { sequence, id };
    const type = typeOf(message);
    if (type !== undefined && isKnown(catalog, type) && !rules.types.includes(type)) return;
    const aggregate = await lanes.aggregateOf(message);
    if (aggregate === undefined || sequence >= (deferredFrom.get(aggregate) ?? Number.POSITIVE_INFINITY)) return;
    try {
      foldEvent(rules, records, decodeEvent(catalog, message) as Recorded<E>);
    } catch (error) {
      const { kind, reason } = faultOf(error);
      const deferral = deferralOf({ index: 0 }, { message, aggregate, type }, kind, reason);
      deferredFrom.set(aggregate, sequence);
      failed.set(aggregate, { deferral, message });
    }
  };
  for await (const messages of readUpTo(log, { subject, from: 1, upTo: head, signal })) {
    for (const message of messages) await take(message);
  }
  return { records, failed: [...failed.values()], lastEvent, position: head, createdAt };
}

function faultOf(error: unknown): Pick<Deferral, 'kind' | 'reason'> {
  if (error instanceof UnknownEventError) return { kind: 'unknown-type', reason: error.reason };
  if (error instanceof UnreadableEventError) return { kind: 'unreadable', reason: error.reason };
  return { kind: 'failed', reason: reasonOf(error) };
}
