import { z } from 'zod';
import { defineEvent, type EventOf, eventCatalog } from '../events/definition.ts';
import type { AgentRef } from '../subjects.ts';
import { type MemoryEvent, vectorsAdded } from './events.ts';

/**
 * How many numbers a vector of the model has: a server may come to have another model under the same name. Absent for
 * built-in models, and in events of earlier releases.
 */
const dimensions = z.int().min(1).optional();

/** Events of the `MEMORY` stream that are about embedding models. */
export const embeddingEvents = eventCatalog([
  /** Later memories are embedded by this model; a log has one model at a time. */
  defineEvent('EmbeddingModelChosen', { embeddingModel: z.string(), dimensions }),
  /**
   * The memory is being brought to this model; until it is chosen, the log is still written and read with the former one.
   * All events up to the sequence `through` have its vectors. Those of later events follow them in the log.
   */
  defineEvent('EmbeddingModelChanging', { embeddingModel: z.string(), dimensions, through: z.int().min(0) }),
  vectorsAdded,
]);
export type EmbeddingEvent = EventOf<typeof embeddingEvents>;

/** The types of events with texts that are found by their vectors; `embeddedIn` knows these and no others. */
export const embeddedTypes = ['FactsExtracted', 'OpinionsFormed', 'OpinionRevised', 'UnitCorrected'] as const;

/** A text of which an event contains the vector. */
export interface EmbeddedText {
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly eventDate: string;
  /** In base64; empty if the text was stored before it was embedded. */
  readonly vector: string;
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
    case 'OpinionRevised': {
      const { embeddingModel, vector } = event.data;
      return { embeddingModel, texts: vector === null ? [] : [{ ...event.data, vector }] };
    }
    case 'UnitCorrected':
      return { embeddingModel: event.data.embeddingModel, texts: [event.data] };
    default:
      return undefined;
  }
}

/** Whether a vector, as events hold it, has the given number of dimensions. */
export function isOfLength(vector: string, dimensions: number): boolean {
  return Buffer.byteLength(vector, 'base64') === dimensions * Float32Array.BYTES_PER_ELEMENT;
}

/** The units of an event with embedded texts. */
export interface EmbeddedUnits {
  readonly space: string;
  readonly agentId: string;
  /** The batch or thought that the units are of; of a reworded unit, the unit itself. */
  readonly operationId: string;
  /** Only of a reworded unit. */
  readonly unitId: string | undefined;
  /** The index of the first unit among all of the batch or thought. */
  readonly firstFact: number;
}

/** Which units the texts of `embeddedIn` are of; undefined for events without embedded texts. */
export function unitsOf({ type, data }: MemoryEvent): EmbeddedUnits | undefined {
  const { space, agentId } = data as AgentRef;
  switch (type) {
    case 'FactsExtracted':
      return { space, agentId, operationId: data.operationId, unitId: undefined, firstFact: data.firstFact };
    case 'OpinionsFormed':
      return { space, agentId, operationId: data.thoughtId, unitId: undefined, firstFact: 0 };
    case 'OpinionRevised':
    case 'UnitCorrected':
      return { space, agentId, operationId: data.unitId, unitId: data.unitId, firstFact: 0 };
    default:
      return undefined;
  }
}

/** Whether facts of an event were stored before they were embedded; `VectorsAdded` events follow with their vectors. */
export function lacksVectors(event: MemoryEvent): boolean {
  return event.type === 'FactsExtracted' && event.data.facts.some(({ vector }) => vector === '');
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
      case 'UnitCorrected':
        return { ...event.data, embeddingModel, vector: vector(0) };
      default:
        return event.data;
    }
  };
  return { ...event, data: changed(event) };
}
