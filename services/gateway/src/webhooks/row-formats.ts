import type { RowOfTable } from '@mneme/contracts';

const lineEnd = '\r\n';
/** Characters that make a spreadsheet read a cell as a formula; full-width forms for Chinese, Japanese and Korean input. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** A row as JSON. Its values are inserted as text, so that no number in them changes. */
export function rowJson({ id, created_at, values }: RowOfTable): string {
  const members = values.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return `{"id":${id},"created_at":${JSON.stringify(created_at)},"values":{${members.join(',')}}}`;
}

/** A line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return cells.map(quoted).join(',') + lineEnd;
}

/** A cell for a value given as JSON text: numbers as they are written, nothing for null, arrays as JSON. */
export function csvCell(json: string): string {
  if (json === 'null') return '';
  if (!json.startsWith('"')) return json;
  return withoutFormula(JSON.parse(json));
}

/** Keeps a spreadsheet from running a text as a formula. */
export function withoutFormula(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
