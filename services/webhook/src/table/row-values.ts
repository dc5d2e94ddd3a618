import { type RecordedColumn, rowNames } from '@mneme/contracts';
import { flatten } from '../flatten/flatten.ts';

/** What a row is made of. */
export interface RowSource {
  /** JSON text as it came. */
  readonly payload: string;
  readonly sourceIp: string;
  readonly createdAt: Date;
}

/** A value of a row: the column's name, and JSON text. */
export type RowValue = [columnName: string, json: string];

/**
 * The values of a row, in the order of the table's columns; what the row has none for is left out. When it came, from
 * where and the payload itself are always there, first, also in a table that has no columns for them.
 */
export function rowValues(columns: readonly RecordedColumn[], row: RowSource): RowValue[] {
  const values = new Map<string, string>([
    ['received_at', JSON.stringify(row.createdAt.toISOString())],
    ['source_ip', JSON.stringify(row.sourceIp)],
    ['raw_payload', JSON.stringify(row.payload)],
  ]);
  // What is a row already stays one, whatever the limits were when it became one.
  for (const [name, { json }] of flatten(row.payload, Number.POSITIVE_INFINITY)) values.set(name, json);
  return rowNames(columns.map(({ columnName }) => columnName)).flatMap((name): RowValue[] => {
    const json = values.get(name);
    return json === undefined ? [] : [[name, json]];
  });
}
