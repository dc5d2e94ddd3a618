import {
  embeddedIn,
  embeddedTypes,
  embeddingEvents,
  memoryEvents,
  memoryStream,
  memorySubjects,
} from '@mneme/contracts';
import {
  decodeEvent,
  firstMessage,
  headOf,
  openLog,
  readUpTo,
  type StoredMessage,
  typeOf,
  UnreadableEventError,
} from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import type { EmbeddingModels } from './decider.ts';

/**
 * How many numbers the vectors of a model have in the log, as recorded or else as its first vector has them; undefined when
 * there is none.
 */
export async function storedDimensions(
  connection: NatsConnection,
  { current, next, former, dimensions }: EmbeddingModels,
  embeddingModel: string,
): Promise<number | undefined> {
  if (dimensions[embeddingModel] !== undefined) return dimensions[embeddingModel];
  const log = openLog(connection, memoryStream.name);
  const added = await firstMessage(log, memorySubjects.allVectors(embeddingModel), 1);
  const length = added && lengthIn(added, embeddingModel);
  if (length !== undefined || ![current, next, ...former].includes(embeddingModel)) return length;
  const [subject] = memoryStream.subjects;
  for await (const messages of readUpTo(log, { subject, from: 1, upTo: await headOf(log) })) {
    for (const message of messages) {
      const found = lengthIn(message, embeddingModel);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The length of the first vector in an event; undefined when it has none, or none of the model, or cannot be read. */
function lengthIn(message: StoredMessage, embeddingModel: string): number | undefined {
  try {
    const vector = vectorsIn(message, embeddingModel).find((each) => each !== '');
    return vector === undefined ? undefined : Buffer.byteLength(vector, 'base64') / Float32Array.BYTES_PER_ELEMENT;
  } catch (error) {
    if (error instanceof UnreadableEventError) return undefined;
    throw error;
  }
}

function vectorsIn(message: StoredMessage, embeddingModel: string): readonly string[] {
  const type = typeOf(message);
  if (type === 'VectorsAdded') {
    const { data } = decodeEvent(embeddingEvents, message);
    return 'vectors' in data && data.embeddingModel === embeddingModel ? data.vectors : [];
  }
  if (!embeddedTypes.some((each) => each === type)) return [];
  const embedded = embeddedIn(decodeEvent(memoryEvents, message));
  return embedded?.embeddingModel === embeddingModel ? embedded.texts.map(({ vector }) => vector) : [];
}
