import { type RowOfTable, rowNames, type TableReply, webhook, webhookStreams } from '@mneme/contracts';
import { orFail } from '../../errors.ts';
import { defineStream, type OutgoingStream, type StreamBinding, type StreamScope } from '../../routing/bind-streams.ts';
import type { SendRequest } from '../../send-request.ts';
import { failures } from '../failures.ts';
import { csvCell, csvLine, rowJson, withoutFormula } from '../row-formats.ts';
import { attachment } from './attachment.ts';

/** The most rows that are requested at once. */
const chunkRows = 500;

interface Format {
  readonly extension: string;
  readonly type: string;
  readonly chunks: (columns: Columns, parts: Parts) => AsyncIterable<string>;
}

type Columns = TableReply['columns'];

type Parts = AsyncIterable<readonly RowOfTable[]>;

const csv: Format = { extension: 'csv', type: 'text/csv; charset=utf-8; header=present', chunks: csvChunks };
const json: Format = { extension: 'json', type: 'application/json; charset=utf-8', chunks: jsonChunks };

/** Exports of whole tables, in chunks of rows. */
export function tableExports(send: SendRequest): StreamBinding[] {
  return [
    defineStream(webhookStreams.exportCsv, ({ path }, scope) => openExport(send, path.id, { scope, format: csv })),
    defineStream(webhookStreams.exportJson, ({ path }, scope) => openExport(send, path.id, { scope, format: json })),
  ];
}

async function openExport(
  send: SendRequest,
  tableId: number,
  { scope: { minSequence, ...scope }, format }: { scope: StreamScope; format: Format },
): Promise<OutgoingStream> {
  const ofTable = { userId: scope.caller.userId, tableId };
  const fetchAfter = (afterRowId: number, upTo?: number) =>
    send(webhook.exportRows, { ...ofTable, afterRowId, upTo, limit: chunkRows }, scope);
  return orFail(failures.listRows, async () => {
    const table = await send(webhook.getTable, { ...ofTable, minSequence }, scope);
    const first = await fetchAfter(0);
    // Rows that come from now on are left out: they may have other columns, and come faster than the caller reads.
    const parts = partsFrom(first, (rowId) => fetchAfter(rowId, first.upTo));
    const headers = { 'Content-Type': format.type, 'Content-Disposition': attachment(table.name, format.extension) };
    return { headers, chunks: format.chunks(first.columns ?? table.columns, parts) };
  });
}

interface Part {
  readonly rows: readonly RowOfTable[];
  readonly isLast: boolean;
}

async function* partsFrom(first: Part, fetchAfter: (rowId: number) => Promise<Part>): Parts {
  for (let part = first; ; ) {
    yield part.rows;
    if (part.isLast) return;
    const last = part.rows.at(-1);
    if (!last) throw new Error('A part of a table has no rows and is not the last one');
    part = await fetchAfter(last.id);
  }
}

async function* csvChunks(columns: Columns, parts: Parts): AsyncIterable<string> {
  const inOrder = columns.toSorted((a, b) => a.order_index - b.order_index);
  const names = rowNames(inOrder.map(({ column_name }) => column_name));
  yield csvLine(names.map(withoutFormula));
  for await (const rows of parts) yield rows.map((row) => csvRow(names, row)).join('');
}

function csvRow(names: readonly string[], { values }: RowOfTable): string {
  const byName = new Map(values);
  return csvLine(names.map((name) => csvCell(byName.get(name) ?? 'null')));
}

async function* jsonChunks(_columns: Columns, parts: Parts): AsyncIterable<string> {
  let separator = '[\n';
  for await (const rows of parts) {
    if (rows.length === 0) continue;
    yield separator + rows.map(rowJson).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
