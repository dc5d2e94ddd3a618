import { ExactNumber, type Row, type Table } from '@mneme/client';
import { textOf, valueIn } from './row-values.ts';

export type ColumnType = Table['columns'][number]['type'];

interface Sorting {
  readonly column: string;
  readonly type: ColumnType | undefined;
  readonly isDescending: boolean;
}

/** Sorts rows by a column: numbers, then points in time of a column of dates, then text; rows without a value come last. */
export function sortRows(rows: readonly Row[], { column, type, isDescending }: Sorting): Row[] {
  const sign = isDescending ? -1 : 1;
  const sorted = rows.map((row) => ({ row, key: keyOf(valueIn(row, column), type) }));
  sorted.sort(({ key: a }, { key: b }) => {
    if (!a || !b) return Number(!a) - Number(!b);
    return sign * compare(a, b);
  });
  return sorted.map(({ row }) => row);
}

/** What a value is sorted by. */
type SortKey =
  | { readonly kind: 0; readonly number: number | ExactNumber }
  | { readonly kind: 1; readonly time: number; readonly fraction: string }
  | { readonly kind: 2; readonly text: string };

const collator = new Intl.Collator('en', { numeric: true });

function keyOf(value: unknown, type: ColumnType | undefined): SortKey | undefined {
  if (typeof value === 'number' || value instanceof ExactNumber) return { kind: 0, number: value };
  const text = textOf(value);
  if (text === '') return undefined;
  return (type === 'date' || type === 'datetime' ? instantOf(text) : undefined) ?? { kind: 2, text };
}

function compare(a: SortKey, b: SortKey): number {
  if (a.kind === 0 && b.kind === 0) return compareNumbers(a.number, b.number);
  if (a.kind === 1 && b.kind === 1) return a.time - b.time || compareDigits(a.fraction, b.fraction);
  if (a.kind === 2 && b.kind === 2) return collator.compare(a.text, b.text);
  return a.kind - b.kind;
}

const isoTime =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d)(?<seconds>:\d\d)?(?:\.(?<fraction>\d+))?(?:Z|(?<hours>[+-]\d\d)(?::?(?<minutes>\d\d))?)?)?$/i;

/** A time of ISO 8601, in UTC where it names no offset; `fraction` has the digits of the second. */
function instantOf(text: string): SortKey | undefined {
  const { date, time, seconds, fraction, hours, minutes } = isoTime.exec(text)?.groups ?? {};
  if (date === undefined) return undefined;
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`;
  const parsed = Date.parse(`${date}T${time ?? '00:00'}${seconds ?? ':00'}${offset}`);
  return Number.isNaN(parsed) ? undefined : { kind: 1, time: parsed, fraction: fraction ?? '' };
}

/** Rounding keeps the order, so only numbers with the same nearest JavaScript number are compared by their digits. */
function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  const [nearestA, nearestB] = [Number(a), Number(b)];
  if (nearestA !== nearestB) return nearestA < nearestB ? -1 : 1;
  const [left, right] = [decimalOf(String(a)), decimalOf(String(b))];
  if (left.sign !== right.sign) return left.sign - right.sign;
  return left.sign * (left.magnitude - right.magnitude || compareDigits(left.digits, right.digits));
}

/** A number of JSON as `sign * 0.digits * 10 ** magnitude`, with a first digit that is not 0; zero has no digits. */
function decimalOf(source: string): { sign: number; magnitude: number; digits: string } {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return { sign: 0, magnitude: 0, digits };
  const magnitude = Number(exponent) + digits.length - fraction.length;
  return { sign: source.startsWith('-') ? -1 : 1, magnitude, digits };
}

/** Digits behind a decimal point, of which zeros at the end say nothing. */
function compareDigits(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  const [left, right] = [a.padEnd(length, '0'), b.padEnd(length, '0')];
  return Number(left > right) - Number(left < right);
}
