import type { Row } from '@mneme/client';

/** The value of a row in a column; undefined if it has none, also in a column with a name such as `constructor`. */
export function valueIn({ values }: Row, column: string): unknown {
  return Object.hasOwn(values, column) ? values[column] : undefined;
}

/** A value as a cell shows it; exact numbers are written as they were sent, also in lists. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
