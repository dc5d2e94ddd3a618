import { type RecordedColumn, type RowOfTable, rowNames } from '@mneme/contracts';
import { createTimeSlice } from '@mneme/workers/time-slices';
import { flatten } from '../flatten/flatten.ts';

/** The fields of a delivery that its row is made of. */
export interface RowSource {
  /** JSON text as it was received. */
  readonly payload: string;
  readonly sourceIp: string;
  readonly createdAt: Date;
}

/** A value of a row: the column's name, and JSON text. */
export type RowValue = [columnName: string, json: string];

/**
 * The most bytes of rows in one reply, unless one row alone is larger. A reply is encoded in one go, which takes 2 to 3 ms
 * per megabyte. Rows are larger than payloads: each has the names of its columns, and its payload twice, with escapes.
 */
export const maxRowBytes = 8 * 1024 * 1024;

/** The rows of the first deliveries that together fit into one reply, at least one. Other work has its turns between them. */
export async function rowsThatFit(
  columns: readonly RecordedColumn[],
  deliveries: readonly (RowSource & { readonly _id: number })[],
): Promise<RowOfTable[]> {
  const rows: RowOfTable[] = [];
  const slice = createTimeSlice();
  let left = maxRowBytes;
  for (const delivery of deliveries) {
    const { _id: id, createdAt } = delivery;
    const row = { id, created_at: createdAt.toISOString(), values: rowValues(columns, delivery) };
    left -= Buffer.byteLength(JSON.stringify(row));
    if (slice.isOver()) await slice.next();
    if (left < 0 && rows.length > 0) break;
    rows.push(row);
  }
  return rows;
}

/**
 * The values of a row, in the order of the table's columns; columns without a value are left out. The time, the source
 * address and the payload come first if the table has no columns for them.
 */
export function rowValues(columns: readonly RecordedColumn[], row: RowSource): RowValue[] {
  const values = new Map<string, string>([
    ['received_at', JSON.stringify(row.createdAt.toISOString())],
    ['source_ip', JSON.stringify(row.sourceIp)],
    ['raw_payload', JSON.stringify(row.payload)],
  ]);
  // No limit on members: a delivery that became a row stays one, even if the limit was higher then.
  for (const [name, { json }] of flatten(row.payload, Number.POSITIVE_INFINITY)) values.set(name, json);
  return rowNames(columns.map(({ columnName }) => columnName)).flatMap((name): RowValue[] => {
    const json = values.get(name);
    return json === undefined ? [] : [[name, json]];
  });
}
