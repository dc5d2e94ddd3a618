import type { Row } from '@mneme/client';
import { textOf, valueIn } from './row-values.ts';
import { type ColumnType, sortRows } from './sort-rows.ts';

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

/**
 * The rows that match, sorted; rows without a value come last.
 * @param type of the column that they are sorted by
 */
export function arrange(rows: readonly Row[], arrangement: Arrangement, type?: ColumnType): Row[] {
  const { filter, filterColumn, sortBy, isDescending } = arrangement;
  const wanted = searchedText(filter);
  const matches = (row: Row) => {
    const searched = filterColumn === '' ? Object.values(row.values) : [valueIn(row, filterColumn)];
    return searched.some((value) => searchedText(textOf(value)).includes(wanted));
  };
  const found = wanted === '' ? [...rows] : rows.filter(matches);
  return sortBy === undefined ? found : sortRows(found, { column: sortBy, type, isDescending });
}

/** In one case of letters and one form of accents: they are sent as one character or as two. */
function searchedText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
