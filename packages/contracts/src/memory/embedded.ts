import type { MemoryEvent } from './events.ts';

/** A text that an event holds a vector of. */
export interface EmbeddedText {
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly eventDate: string;
}

/** What of an event is embedded, and by which model; undefined for events without vectors. */
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
 * The event as if another model had embedded it.
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
