import type { LexicalEncoder } from '@mneme/models';
import type { Verification } from '@mneme/read-models';
import { chunks } from '@mneme/workers/chunks';
import type { StoredContents } from '../read-model/read-model.ts';
import type { UnitWithVector } from '../read-model/working-set.ts';
import { hasQuestion, lexicalText } from '../units/text.ts';
import type { UnitVectors } from '../vectors/vector-index.ts';

/**
 * A unit as the vector index stores it; without a vector it is only found by its words.
 * @param writtenAt the sequence of the last event of its agent that it follows from
 */
export function pointOf(
  { unit, vector }: Pick<UnitWithVector, 'unit' | 'vector'>,
  writtenAt: number,
  lexical: LexicalEncoder,
): UnitVectors {
  const { text, ...passage } = unit.passage;
  return {
    id: unit._id,
    operationId: unit.operationId,
    fact: unit.fact,
    passage,
    hasQuestion: hasQuestion(unit.text),
    documentKey: unit.documentKey,
    turn: unit.turn,
    isAppended: unit.isAppended,
    submitted: unit.submitted,
    tags: unit.tags,
    sequence: unit.sequence,
    agentKey: unit.agentKey,
    factType: unit.factType,
    eventDate: unit.eventDate,
    ordinal: unit.ordinal,
    dense: fromBase64(vector),
    words: lexical.document(lexicalText(unit.text, unit.eventDate)),
    passageWords: text === null ? undefined : lexical.document(lexicalText(text, unit.eventDate)),
    writtenAt,
  };
}

/** Six decimal places lose less than the store's own format of a vector, and halve the size of the request. */
function fromBase64(vector: string): number[] {
  const bytes = Buffer.from(vector, 'base64');
  const values = new Array<number>(bytes.byteLength / 4);
  for (let index = 0; index < values.length; index += 1) {
    values[index] = Math.round(bytes.readFloatLE(index * 4) * 1e6) / 1e6;
  }
  return values;
}

const unitsAtOnce = 500;

/**
 * Compares the units in MongoDB with the points in Qdrant: adds missing points and vectors, and removes points without a
 * unit.
 * @param untilApplied resolves when the lanes have passed everything that the log holds now. Points are written before the
 * units that they belong to are committed, so only a point that has no unit afterwards belongs to none.
 */
export async function verifyVectors(
  { collections, vectors }: StoredContents,
  { lexical, untilApplied }: { readonly lexical: LexicalEncoder; readonly untilApplied: () => Promise<void> },
): Promise<Verification> {
  const { units } = collections;
  const [newest] = await units
    .find({}, { projection: { sequence: 1 } })
    .sort({ sequence: -1 })
    .limit(1)
    .toArray();
  let [checked, missing, orphans] = [0, 0, 0];
  for (let after = ''; ; ) {
    const rows = await units
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(unitsAtOnce)
      .toArray();
    const last = rows.at(-1);
    if (!last) break;
    const known = await vectors.existing(rows.map(({ _id }) => _id));
    const lost = rows.filter(({ _id, vector }) => {
      const point = known.get(_id);
      return !point || (vector.length() > 0 && !point.hasMeaning);
    });
    const points = lost.map(({ vector, ...unit }) => {
      // That of the stored point or of the unit's own event, so that a newer point is never replaced.
      const writtenAt = known.get(unit._id)?.writtenAt ?? unit.sequence;
      return pointOf({ unit, vector: vector.toString('base64') }, writtenAt, lexical);
    });
    await vectors.upsert(points);
    checked += rows.length;
    missing += lost.length;
    after = last._id;
  }
  const withoutUnit = async (ids: readonly string[]) => {
    const rows = await units.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
    const known = new Set(rows.map(({ _id }) => _id));
    return ids.filter((id) => !known.has(id));
  };
  const upTo = newest?.sequence ?? 0;
  const suspects: string[] = [];
  for await (const ids of vectors.pages(upTo)) suspects.push(...(await withoutUnit(ids)));
  if (suspects.length > 0) await untilApplied();
  for (const some of chunks(suspects, unitsAtOnce)) {
    const orphaned = await withoutUnit(some);
    await vectors.remove(orphaned, upTo + 1);
    orphans += orphaned.length;
  }
  return { checked, repaired: { 'units without a vector': missing, 'vectors without a unit': orphans } };
}
