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
  versionOf,
} from '@mneme/event-store';
import type { ReadModelDefinition } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import type { SeenEvent } from '../lanes/checkpoints.ts';
import type { Deferral } from '../lanes/lane.ts';
import { foldEvent, type RecordRules } from './record-rules.ts';

type Definition<E extends DomainEvent> = Pick<
  ReadModelDefinition<E, unknown>,
  'catalog' | 'types' | 'ignoredTypes' | 'subjects' | 'lanes'
>;

export interface FoldOptions<E extends DomainEvent, R> {
  readonly log: Log;
  readonly definition: Definition<E>;
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
export async function foldLog<E extends DomainEvent, R extends { readonly sequence: number }>(
  options: FoldOptions<E, R>,
): Promise<FoldedLog<R>> {
  const { log, definition, signal } = options;
  const { createdAt, head } = await streamState(log);
  const folding = new Folding(options);
  const subject = definition.subjects ?? '>';
  for await (const messages of readUpTo(log, { subject, from: 1, upTo: head, signal })) {
    for (const message of messages) await folding.take(message);
  }
  const { records, failed, lastEvent } = folding;
  return { records, failed: [...failed.values()], lastEvent, position: head, createdAt };
}

class Folding<E extends DomainEvent, R extends { readonly sequence: number }> {
  readonly records = new Map<string, R>();
  readonly failed = new Map<string, { deferral: Deferral; message: StoredMessage }>();
  lastEvent: SeenEvent | null = null;
  readonly #options: FoldOptions<E, R>;
  readonly #deferredFrom: Map<string, number>;

  constructor(options: FoldOptions<E, R>) {
    this.#options = options;
    this.#deferredFrom = new Map(options.deferred.map(({ aggregate, from }) => [aggregate, from]));
  }

  async take(message: StoredMessage): Promise<void> {
    const { definition, rules } = this.#options;
    const id = eventIdOf(message);
    if (id) this.lastEvent = { sequence: message.sequence, id };
    const type = typeOf(message);
    const isUnused = (type: string) => isKnown(definition.catalog, type) && !rules.types.includes(type);
    if (type !== undefined && (definition.ignoredTypes?.includes(type) || isUnused(type))) return;
    const aggregate = await definition.lanes.aggregateOf(message);
    if (
      aggregate === undefined ||
      message.sequence >= (this.#deferredFrom.get(aggregate) ?? Number.POSITIVE_INFINITY)
    ) {
      return;
    }
    try {
      foldEvent(rules, this.records, decodeEvent(definition.catalog, message) as Recorded<E>);
    } catch (error) {
      this.#fail(message, aggregate, error);
    }
  }

  #fail(message: StoredMessage, aggregate: string, error: unknown): void {
    const { sequence: from } = message;
    const about = { aggregate, lane: 0, from, type: typeOf(message) ?? null, typeVersion: versionOf(message) ?? null };
    this.#deferredFrom.set(aggregate, from);
    this.failed.set(aggregate, { deferral: { ...about, ...faultOf(error) }, message });
  }
}

function faultOf(error: unknown): Pick<Deferral, 'kind' | 'reason'> {
  if (error instanceof UnknownEventError) return { kind: 'unknown-type', reason: error.reason };
  if (error instanceof UnreadableEventError) return { kind: 'unreadable', reason: error.reason };
  return { kind: 'failed', reason: reasonOf(error) };
}
