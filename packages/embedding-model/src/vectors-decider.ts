import { type MemoryEvent, type MemoryEventOf, unitsOf } from '@mneme/contracts';
import { type AsyncDecider, type Recorded, splitBySize } from '@mneme/event-store';
import { chunks } from '@mneme/workers/chunks';

/** Adds the vectors that an event with facts or opinions lacks. */
export interface AddVectors {
  readonly type: 'AddVectors';
  readonly event: Recorded<MemoryEvent>;
  readonly embeddingModel: string;
  /**
   * Embeds the texts of the event; called only when their vectors are not there yet.
   * @returns one for each text, in their order; little-endian float32 values in base64
   */
  readonly embed: () => Promise<readonly string[]>;
  /** Whether they take effect where they stand in the log, and not at the event. */
  readonly areLate: boolean;
  /** The most bytes that the data of one event may take. */
  readonly maxEventBytes: number;
}

/** Reserved for the other fields of an event, in bytes. */
const headBytes = 4_096;
/** The quotes and the comma of a vector in JSON. */
const separatorBytes = 3;
/** A read model applies the vectors of one event together while other events wait. */
const maxVectors = 100;

/**
 * The vectors of one model for one event, which are added once. That there are some is all that matters of them, so the
 * revision tells it.
 */
export const vectorsDecider: AsyncDecider<null, AddVectors, MemoryEvent> = {
  initialState: null,
  decide: async (command, _state, { revision }) => (revision > 0 ? [] : vectorsAdded(command, await command.embed())),
  evolve: () => null,
};

/** As many events as the size of a message requires. */
function vectorsAdded(
  { event, embeddingModel, areLate, maxEventBytes }: AddVectors,
  vectors: readonly string[],
): MemoryEventOf<'VectorsAdded'>[] {
  const units = unitsOf(event);
  if (!units) throw new Error(`${event.type} has no units`);
  const { space, agentId, operationId, unitId } = units;
  const of = event.position.sequence;
  let next = areLate ? units.firstFact : 0;
  const sizeOf = (vector: string) => vector.length + separatorBytes;
  const parts = splitBySize(vectors, sizeOf, maxEventBytes - headBytes).flatMap((part) => chunks(part, maxVectors));
  return parts.map((part) => {
    const firstFact = next;
    next += part.length;
    const place = areLate ? { operationId, ...(unitId !== undefined && { unitId }) } : { operationId: null };
    return { type: 'VectorsAdded', data: { space, agentId, ...place, firstFact, embeddingModel, of, vectors: part } };
  });
}
