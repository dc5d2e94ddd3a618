import { type MemoryEvent, type MemoryEventOf, unitsOf } from '@mneme/contracts';
import { type EventStore, type Recorded, splitBySize } from '@mneme/event-store';

export interface AddedVectors {
  readonly embeddingModel: string;
  /** One for each embedded text of the event, in their order; little-endian float32 values in base64. */
  readonly vectors: readonly string[];
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

/** The events that hold the vectors for an event with facts or opinions: as many as the size of a message requires. */
export function vectorsAdded(
  event: Recorded<MemoryEvent>,
  { embeddingModel, vectors, areLate, maxEventBytes }: AddedVectors,
): MemoryEventOf<'VectorsAdded'>[] {
  const units = unitsOf(event);
  if (!units) throw new Error(`${event.type} has no units`);
  const { space, agentId, operationId, unitId } = units;
  const of = event.position.sequence;
  let next = areLate ? units.firstFact : 0;
  const sizeOf = (vector: string) => vector.length + separatorBytes;
  const parts = splitBySize(vectors, sizeOf, maxEventBytes - headBytes).flatMap(inParts);
  return parts.map((part) => {
    const firstFact = next;
    next += part.length;
    const place = areLate ? { operationId, ...(unitId !== undefined && { unitId }) } : { operationId: null };
    return { type: 'VectorsAdded', data: { space, agentId, ...place, firstFact, embeddingModel, of, vectors: part } };
  });
}

function inParts(vectors: readonly string[]): string[][] {
  const count = Math.ceil(vectors.length / maxVectors);
  return Array.from({ length: count }, (_, part) => vectors.slice(part * maxVectors, (part + 1) * maxVectors));
}

/** Whether a unit was reworded again after an event, so that its late vector would be one of a former text. */
export async function isReworded(
  store: Pick<EventStore<MemoryEvent>, 'load'>,
  event: Recorded<MemoryEvent>,
): Promise<boolean> {
  if (!isRewording(event)) return false;
  const { events } = await store.load(event.subject);
  return events.some((each) => isRewording(each) && each.position.sequence > event.position.sequence);
}

function isRewording({ type, data }: MemoryEvent): boolean {
  return type === 'UnitCorrected' || (type === 'OpinionRevised' && data.vector !== null);
}
