import {
  type AgentRef,
  type EmbeddingEvent,
  EmbeddingModelMismatchError,
  embeddedIn,
  type MemoryEvent,
  memorySubjects,
  withVectors,
} from '@mneme/contracts';
import type { EventStore, Recorded } from '@mneme/event-store';
import type { EmbeddingModel } from '@mneme/models';
import type { Logger } from '@mneme/service-kit';

export interface OwnVectorsDeps {
  readonly store: EventStore<EmbeddingEvent>;
  readonly embeddings: Pick<EmbeddingModel, 'name' | 'dimensions'>;
  readonly logger: Logger;
}

/** Returns the events as if this version's model had embedded all of them. */
export type OwnVectors = (events: readonly Recorded<MemoryEvent>[]) => Promise<readonly Recorded<MemoryEvent>[]>;

/**
 * Replaces the vectors of another model by those that `mneme reembed` has added for this one. If there are none, a warning
 * is logged and the units are found by their words only.
 */
export function createOwnVectors(deps: OwnVectorsDeps): OwnVectors {
  return (events) => Promise.all(events.map((event) => withOwnVectors(deps, event)));
}

async function withOwnVectors(deps: OwnVectorsDeps, event: Recorded<MemoryEvent>): Promise<Recorded<MemoryEvent>> {
  const { name, dimensions } = deps.embeddings;
  const embedded = embeddedIn(event);
  if (!embedded || embedded.texts.length === 0 || embedded.embeddingModel === name) return event;
  const subject = memorySubjects.vectors(event.data as AgentRef, name, event.position.sequence);
  const added = (await deps.store.load(subject)).events;
  const vectors = added.flatMap(({ type, data }) => (type === 'VectorsAdded' ? data.vectors : []));
  if (vectors.length === embedded.texts.length) return withVectors(event, name, vectors);
  const missing = { sequence: event.position.sequence, embeddingModel: name };
  deps.logger.warn(missing, 'An event has no vectors of the embedding model: run `mneme reembed`');
  const none = Buffer.alloc(dimensions * 4).toString('base64');
  const blank = embedded.texts.map(() => none);
  return withVectors(event, name, blank);
}

/**
 * Ensures that questions are embedded by the same model as the memories.
 * @throws EmbeddingModelMismatchError when the log has another model
 */
export async function checkEmbeddingModel(store: EventStore<EmbeddingEvent>, embeddingModel: string): Promise<void> {
  const { events } = await store.load(memorySubjects.embeddingModel);
  const chosen = events.at(-1);
  if (chosen?.type !== 'EmbeddingModelChosen' || chosen.data.embeddingModel === embeddingModel) return;
  throw new EmbeddingModelMismatchError(chosen.data.embeddingModel, embeddingModel);
}
