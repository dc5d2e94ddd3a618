import type { UnitList } from '@mneme/contracts';
import type { ReadableRows } from '../read-model/reads.ts';
import { newestFirst, selectUnits, type UnitQuery } from './select-units.ts';
import { fitUnits, maxSentContext, type ReadUnit, readFields, showUnit } from './shown-units.ts';
import { wordsOf } from './text.ts';

export interface ListUnits extends UnitQuery {
  readonly limit: number;
  readonly offset: number;
}

/** Less than 4 MB, with room for what stands around the items. */
const maxItemBytes = 3_990_000;

/** A page of the units of a space or of one agent, newest date first. */
export async function listUnits(readable: ReadableRows, query: ListUnits): Promise<UnitList> {
  const { limit, offset, q } = query;
  // A `q` such as `!!!` asks for something, and no unit has it as a word.
  if (q !== undefined && q.trim() !== '' && wordsOf(q).length === 0) return { items: [], total: 0, limit, offset };
  const { filter, hint, count } = await selectUnits(readable, query);
  const page = readable.collections.units
    .find(filter, { projection: readFields(maxSentContext), hint })
    .sort(newestFirst)
    .skip(offset)
    .limit(limit);
  const [rows, total] = await Promise.all([page.toArray(), count()]);
  return { items: fitUnits(rows, maxItemBytes, toItem), total, limit, offset };
}

function toItem(unit: ReadUnit, maxText: number): UnitList['items'][number] {
  const { factType, ...shown } = showUnit(unit, maxSentContext, maxText);
  return { ...shown, fact_type: factType };
}
