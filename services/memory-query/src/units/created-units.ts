import type { ItemUnits } from '@mneme/contracts';
import { chunks } from '@mneme/workers/chunks';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import { unitId } from '../read-model/row-ids.ts';
import type { StoredOperation, StoredUnit } from '../read-model/rows.ts';
import { cut, fitUnits, maxReplyBytes } from './shown-units.ts';

const idsPerRead = 2_000;

/** A unit that an operation has created. */
export type CreatedUnit = Pick<StoredUnit, '_id' | 'text' | 'factType' | 'item' | 'fact'>;

/**
 * The units that a completed operation has created, by the items of its batch.
 * @param rows in the order of the facts
 */
export async function unitsByItem(operation: StoredOperation, rows: readonly CreatedUnit[]): Promise<ItemUnits> {
  const items: ItemUnits = Array.from({ length: operation.itemsCount }, () => ({ units: [] }));
  const { units: shown } = await fitUnits(rows, maxReplyBytes, ({ _id, text, factType }, maxText) => {
    return { id: _id, text: cut(text, maxText), type: factType };
  });
  for (const [index, { item }] of rows.entries()) {
    const unit = shown[index];
    if (unit) items[item]?.units.push(unit);
  }
  return items;
}

/** Reads the units that an operation has created, in the order of the facts. */
export async function readCreated(
  { collections: { units }, removals }: ReadableRows,
  { _id: operationId, facts }: StoredOperation,
): Promise<readonly CreatedUnit[]> {
  const ids = Array.from({ length: facts }, (_, fact) => unitId(operationId, fact));
  const rows: CreatedUnit[] = [];
  for (const some of chunks(ids, idsPerRead)) {
    const filter = { _id: { $in: some }, ...notRemoved(removals) };
    const projection = { text: 1, factType: 1, item: 1, fact: 1 };
    rows.push(...(await units.find(filter, { projection, batchSize: idsPerRead }).toArray()));
  }
  return rows.sort((left, right) => left.fact - right.fact);
}
