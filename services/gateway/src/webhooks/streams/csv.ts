const lineEnd = '\r\n';
/** What spreadsheets take for the beginning of a formula; the wide forms where Chinese, Japanese or Korean is typed. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** A line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return cells.map(quoted).join(',') + lineEnd;
}

/** A cell for a value that is given as JSON text: numbers as they are written, nothing for null, lists as JSON. */
export function csvCell(json: string): string {
  if (json === 'null') return '';
  if (!json.startsWith('"')) return json;
  return harmless(JSON.parse(json));
}

/** Keeps a spreadsheet from running a text. */
export function harmless(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
