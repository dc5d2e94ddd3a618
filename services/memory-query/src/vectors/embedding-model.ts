import {
  type AgentRef,
  type EmbeddingEvent,
  embeddedIn,
  isOfLength,
  type MemoryEvent,
  memorySubjects,
  withVectors,
} from '@mneme/contracts';
import { type EventStore, newestStore, type Recorded } from '@mneme/event-store';
import type { EmbeddingModel } from '@mneme/models';
import type { Logger } from '@mneme/service-kit';

export interface OwnVectorsDeps {
  readonly store: EventStore<EmbeddingEvent>;
  readonly embeddings: Pick<EmbeddingModel, 'name' | 'dimensions'>;
  /** Whether the log should hold vectors of the model that take effect at the event of a sequence. */
  readonly areExpected: (sequence: number) => boolean;
  readonly logger: Logger;
}

/** Returns the events as if this version's model had embedded all of them, without vectors of other models. */
export type OwnVectors = (events: readonly Recorded<MemoryEvent>[]) => Promise<readonly Recorded<MemoryEvent>[]>;

/**
 * Replaces the vectors of another model by those that were added for this one. Those that take effect where they stand in
 * the log are left out here, so the units have none until then. If there are no others although they are expected, a warning
 * is logged. Vectors of another length count as missing: the server may have had another model under the same name.
 */
export function createOwnVectors(deps: OwnVectorsDeps): OwnVectors {
  return (events) => {
    const own = events.filter((event) => !isForOther(event, deps.embeddings));
    return Promise.all(own.map((event) => withOwnVectors(deps, event)));
  };
}

/** Vectors that replace those of another model are looked up when the event that they are for is applied. */
function isForOther({ type, data }: MemoryEvent, { name, dimensions }: OwnVectorsDeps['embeddings']): boolean {
  if (type !== 'VectorsAdded') return false;
  const isOwn = data.operationId !== null && data.embeddingModel === name;
  return !isOwn || !data.vectors.every((vector) => isOfLength(vector, dimensions));
}

async function withOwnVectors(deps: OwnVectorsDeps, event: Recorded<MemoryEvent>): Promise<Recorded<MemoryEvent>> {
  const { name, dimensions } = deps.embeddings;
  const embedded = embeddedIn(event);
  if (!embedded || embedded.texts.length === 0) return event;
  const isUsable = (vector: string) => isOfLength(vector, dimensions);
  const isOwn = embedded.embeddingModel === name;
  if (isOwn && embedded.texts.every(({ vector }) => vector === '' || isUsable(vector))) return event;
  const { sequence } = event.position;
  const subject = memorySubjects.vectors(event.data as AgentRef, name, sequence);
  const vectors = isOwn ? [] : await replacements(deps.store, subject);
  if (vectors.length === embedded.texts.length && vectors.every(isUsable)) return withVectors(event, name, vectors);
  const missing = { sequence, embeddingModel: name };
  if (isOwn || deps.areExpected(sequence))
    deps.logger.warn(missing, 'An event has no usable vectors of the embedding model: run `mneme reembed`');
  return withVectors(
    event,
    name,
    embedded.texts.map(() => ''),
  );
}

async function replacements(store: EventStore<EmbeddingEvent>, subject: string): Promise<readonly string[]> {
  const { events } = await store.load(subject);
  const added = events.length > 0 ? events : (await newestStore(store).load(subject)).events;
  return added.flatMap(({ type, data }) => (type === 'VectorsAdded' && data.operationId === null ? data.vectors : []));
}
