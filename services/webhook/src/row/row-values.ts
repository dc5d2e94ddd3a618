import type { RecordedColumn } from '@mneme/contracts';
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
  for (const [name, { json }] of flatten(row.payload)) values.set(name, json);
  const ordered: RowValue[] = [];
  for (const name of namesInOrder(columns)) {
    const json = values.get(name);
    if (json !== undefined) ordered.push([name, json]);
  }
  return ordered;
}

const alwaysThere = ['received_at', 'source_ip', 'raw_payload'];

function namesInOrder(columns: readonly RecordedColumn[]): Set<string> {
  const names = columns.map(({ columnName }) => columnName);
  const missing = alwaysThere.filter((name) => !names.includes(name));
  return new Set([...missing, ...names]);
}
