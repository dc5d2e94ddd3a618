import { type RecordedColumn, rowNames } from '@mneme/contracts';
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
