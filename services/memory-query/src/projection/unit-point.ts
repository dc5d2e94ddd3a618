import type { LexicalEncoder } from '@mneme/models';
import type { NewUnit } from '../read-model/working-set.ts';
import { lexicalText } from '../units/lexical-text.ts';
import type { UnitVectors } from '../vectors/vector-index.ts';

/** A unit as the vector index keeps it. */
export function pointOf({ unit, vector }: Pick<NewUnit, 'unit' | 'vector'>, lexical: LexicalEncoder): UnitVectors {
  const { _id: id, agentKey, factType, operationId, fact, eventDate, ordinal, documentKey, sequence } = unit;
  return {
    ...{ id, operationId, fact, isInDocument: documentKey !== null, documentKey, sequence },
    ...{ agentKey, factType, eventDate, ordinal },
    dense: fromBase64(vector),
    lexical: lexical.document(lexicalText(unit)),
  };
}

/** Six digits after the point lose less than the store's own form of a vector, and halve what is sent. */
function fromBase64(vector: string): number[] {
  const bytes = Buffer.from(vector, 'base64');
  const values = new Array<number>(bytes.byteLength / 4);
  for (let index = 0; index < values.length; index += 1) {
    values[index] = Math.round(bytes.readFloatLE(index * 4) * 1e6) / 1e6;
  }
  return values;
}
