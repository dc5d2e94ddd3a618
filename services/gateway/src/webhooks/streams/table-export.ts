import { type RowOfTable, rowNames, type TableReply, webhook, webhookStreams } from '@mneme/contracts';
import { orFail } from '../../errors.ts';
import { defineStream, type OutgoingStream, type StreamBinding, type StreamScope } from '../../http/bind-streams.ts';
import type { SendRequest } from '../../send-request.ts';
import { failures } from '../failures.ts';
import { rowJson } from '../row-json.ts';
import { csvCell, csvLine, harmless } from './csv.ts';
import { attachment } from './file-name.ts';

/** How many rows are asked for at once, at most. */
const pieceRows = 500;

interface Format {
  readonly extension: string;
  readonly type: string;
  readonly chunks: (table: TableReply, pieces: Pieces) => AsyncIterable<string>;
}

type Pieces = AsyncIterable<readonly RowOfTable[]>;

const csv: Format = { extension: 'csv', type: 'text/csv; charset=utf-8; header=present', chunks: csvChunks };
const json: Format = { extension: 'json', type: 'application/json; charset=utf-8', chunks: jsonChunks };

/** Tables written out as a whole, piece by piece. */
export function tableExports(call: SendRequest): StreamBinding[] {
  return [
    defineStream(webhookStreams.exportCsv, ({ path }, scope) => openExport(call, path.id, { scope, format: csv })),
    defineStream(webhookStreams.exportJson, ({ path }, scope) => openExport(call, path.id, { scope, format: json })),
  ];
}

async function openExport(
  call: SendRequest,
  tableId: number,
  { scope: { minSequence, ...scope }, format }: { scope: StreamScope; format: Format },
): Promise<OutgoingStream> {
  const ofTable = { userId: scope.caller.userId, tableId };
  const fetchAfter = (afterRowId: number) =>
    call(webhook.exportRows, { ...ofTable, afterRowId, limit: pieceRows }, scope);
  return orFail(failures.listRows, async () => {
    const table = await call(webhook.getTable, { ...ofTable, minSequence }, scope);
    const first = await fetchAfter(0);
    const headers = { 'Content-Type': format.type, 'Content-Disposition': attachment(table.name, format.extension) };
    return { headers, chunks: format.chunks(table, piecesFrom(first, fetchAfter)) };
  });
}

interface Piece {
  readonly rows: readonly RowOfTable[];
  readonly isLast: boolean;
}

async function* piecesFrom(first: Piece, fetchAfter: (rowId: number) => Promise<Piece>): Pieces {
  for (let piece = first; ; ) {
    yield piece.rows;
    if (piece.isLast) return;
    const last = piece.rows.at(-1);
    if (!last) throw new Error('A piece of a table has no rows and is not the last one');
    piece = await fetchAfter(last.id);
  }
}

async function* csvChunks({ columns }: TableReply, pieces: Pieces): AsyncIterable<string> {
  const inOrder = columns.toSorted((a, b) => a.order_index - b.order_index);
  const names = rowNames(inOrder.map(({ column_name }) => column_name));
  yield csvLine(names.map(harmless));
  for await (const rows of pieces) yield rows.map((row) => csvRow(names, row)).join('');
}

function csvRow(names: readonly string[], { values }: RowOfTable): string {
  const byName = new Map(values);
  return csvLine(names.map((name) => csvCell(byName.get(name) ?? 'null')));
}

async function* jsonChunks(_table: TableReply, pieces: Pieces): AsyncIterable<string> {
  let separator = '[\n';
  for await (const rows of pieces) {
    if (rows.length === 0) continue;
    yield separator + rows.map(rowJson).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
