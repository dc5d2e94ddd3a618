import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import type { MemoryEvent } from './events.ts';

/** Later memories are embedded by this model; a log has one model at a time. */
export const embeddingModelChosen = defineEvent({
  type: 'EmbeddingModelChosen',
  version: 1,
  schema: z.object({ embeddingModel: z.string() }),
});

/** The vectors of another embedding model for the texts of one event, which keeps its own vectors. */
export const vectorsAdded = defineEvent({
  type: 'VectorsAdded',
  version: 1,
  schema: z.object({
    embeddingModel: z.string(),
    /** The sequence of the event that the vectors are for. */
    of: z.int().min(1),
    /** In the order of the event's facts or opinions; little-endian float32 values in base64. */
    vectors: z.array(z.string()),
  }),
});

/** Events of the `MEMORY` stream that are about vectors only; the projection of the read model skips them. */
export const embeddingEvents = eventCatalog([embeddingModelChosen, vectorsAdded]);
export type EmbeddingEvent = EventOf<typeof embeddingEvents>;

/** A text of which an event contains the vector. */
export interface EmbeddedText {
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly eventDate: string;
}

/** The embedded texts of an event and their embedding model; undefined for events without vectors. */
export function embeddedIn(
  event: MemoryEvent,
): { readonly embeddingModel: string; readonly texts: readonly EmbeddedText[] } | undefined {
  switch (event.type) {
    case 'FactsExtracted':
      return { embeddingModel: event.data.embeddingModel, texts: event.data.facts };
    case 'OpinionsFormed':
      return { embeddingModel: event.data.embeddingModel, texts: event.data.opinions };
    case 'OpinionRevised':
      return { embeddingModel: event.data.embeddingModel, texts: event.data.vector === null ? [] : [event.data] };
    default:
      return undefined;
  }
}

/**
 * The event with the vectors of another embedding model.
 *
 * @param vectors one per text of `embeddedIn`, in base64
 */
export function withVectors<E extends MemoryEvent>(event: E, embeddingModel: string, vectors: readonly string[]): E {
  const vector = (index: number) => vectors[index] ?? '';
  const changed = (event: MemoryEvent): MemoryEvent['data'] => {
    switch (event.type) {
      case 'FactsExtracted': {
        const facts = event.data.facts.map((fact, index) => ({ ...fact, vector: vector(index) }));
        return { ...event.data, embeddingModel, facts };
      }
      case 'OpinionsFormed': {
        const opinions = event.data.opinions.map((opinion, index) => ({ ...opinion, vector: vector(index) }));
        return { ...event.data, embeddingModel, opinions };
      }
      case 'OpinionRevised':
        return { ...event.data, embeddingModel, vector: event.data.vector === null ? null : vector(0) };
      default:
        return event.data;
    }
  };
  return { ...event, data: changed(event) };
}

/** The stored vectors are of another embedding model than the configured one, and cannot be compared with its vectors. */
export class EmbeddingModelMismatchError extends Error {
  override readonly name = 'EmbeddingModelMismatchError';

  constructor(stored: string, configured: string) {
    super(
      `The stored memory was made with the embedding model ${stored}, not with ${configured}: start with ${stored} again, ` +
        'or run `mneme reembed` with the new one to bring the memory over.',
    );
  }
}
