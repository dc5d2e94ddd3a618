import { ExactNumber, type Row } from '@mneme/client';

/** How the rows of a table are looked at. */
export interface Arrangement {
  /** Text that a value contains, in any case of letters; empty: all rows. */
  readonly filter: string;
  /** Where it is; empty: in any column. */
  readonly filterColumn: string;
  /** A column, or the number of the row. */
  readonly sortBy: string | undefined;
  readonly isDescending: boolean;
}

export const newestFirst: Arrangement = { filter: '', filterColumn: '', sortBy: undefined, isDescending: true };

/** Whether the rows have to be here to be shown like this. */
export function isArranged({ filter, sortBy }: Arrangement): boolean {
  return filter !== '' || sortBy !== undefined;
}

/** The rows that match, sorted; rows without a value come last. */
export function arrange(rows: readonly Row[], { filter, filterColumn, sortBy, isDescending }: Arrangement): Row[] {
  const wanted = filter.toLowerCase();
  const matches = (row: Row) => {
    const searched = filterColumn === '' ? Object.values(row.values) : [valueIn(row, filterColumn)];
    return searched.some((value) => textOf(value).toLowerCase().includes(wanted));
  };
  const found = wanted === '' ? [...rows] : rows.filter(matches);
  if (sortBy === undefined) return found;
  const sign = isDescending ? -1 : 1;
  return found.sort((a, b) => compare(valueIn(a, sortBy), valueIn(b, sortBy), sign));
}

/** The value of a row in a column; undefined if it has none, also in a column with a name such as `constructor`. */
export function valueIn({ values }: Row, column: string): unknown {
  return Object.hasOwn(values, column) ? values[column] : undefined;
}

/** A value as a cell shows it; exact numbers are written as they were sent, also in lists. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const collator = new Intl.Collator('en', { numeric: true });

function compare(a: unknown, b: unknown, sign: number): number {
  const [isAEmpty, isBEmpty] = [textOf(a) === '', textOf(b) === ''];
  if (isAEmpty || isBEmpty) return Number(isAEmpty) - Number(isBEmpty);
  if (isNumber(a) && isNumber(b)) return sign * (Number(a > b) - Number(a < b));
  return sign * collator.compare(textOf(a), textOf(b));
}

/** Exact numbers are compared by their nearest JavaScript numbers, as those themselves are. */
function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}
