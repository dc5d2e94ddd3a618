import {
  agentKeyOf,
  embeddingEvents,
  type MemoryEvent,
  memoryEvents,
  memoryStream,
  partitionOf,
  partitions,
} from '@mneme/contracts';
import type { ReadModel, ReadModelDefinition } from '@mneme/read-models';
import { type MemoryStoreDeps, memoryStore } from '../projection/memory-store.ts';
import type { MemoryContents } from './memory-contents.ts';

export type MemoryReadModel = ReadModel<MemoryEvent, MemoryContents>;

/** Counted up when the rows or their derivation change; a new version is then built beside the old one. */
const form = 3;
/** What a batch comes to may stand in the log a moment after it; its operation is then written once, as completed. */
const delay = { types: ['BatchSubmitted', 'OperationStarted'], forMs: 15 };

/** What agents remember: the events of an agent are applied in order, in the lane of its partition. */
export function memoryReadModel(
  deps: Omit<MemoryStoreDeps, 'version'>,
): ReadModelDefinition<MemoryEvent, MemoryContents> {
  return {
    name: 'memory',
    // Questions are embedded by the configured model, whose vectors cannot be compared with those of another.
    form: `${form} ${deps.stores.embeddings.name}`,
    stream: memoryStream.name,
    catalog: memoryEvents,
    types: [...memoryEvents.definitions.keys()] as MemoryEvent['type'][],
    ignoredTypes: [...embeddingEvents.definitions.keys()],
    supersedingTypes: ['AgentErased'],
    lanes: {
      count: partitions,
      aggregateOf: ({ subject }) => agentKeyOf(subject),
      laneOf: partitionOf,
      subjectOf: (lane) => `memory.${lane}.>`,
    },
    batches: { maxEvents: 500, maxBytes: 4 * 1024 * 1024, delay },
    store: (version) => memoryStore({ ...deps, version }),
  };
}
