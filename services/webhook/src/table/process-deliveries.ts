import { setImmediate } from 'node:timers/promises';
import { maxColumns, type RecordedColumn, type WebhookEventOf } from '@mneme/contracts';
import { tooManyColumns } from '../flatten/json-tree.ts';
import { type PayloadColumns, payloadColumns } from '../flatten/payload-columns.ts';

/** What is decided upon: a table as far as its calls are worked off. */
export interface ProcessedTable {
  readonly columns: readonly RecordedColumn[];
  /** The sequence of the last work item that is worked off for it. */
  readonly upTo: number;
}

/** A call that is to be worked off, for the first time or again. */
export interface WorkItem {
  /** Of the `CallReceived` or `CallReplayed` that asks for it. */
  readonly sequence: number;
  readonly callId: number;
  readonly webhookId: number;
  /** JSON text as it came. */
  readonly payload: string;
  /** The request for many that it belongs to. */
  readonly replay: number | null;
}

export type CallsProcessed = WebhookEventOf<'CallsProcessed'>['data'];

/** A work item whose payload was read. */
export interface ReadItem extends Omit<WorkItem, 'payload'> {
  readonly read: PayloadColumns;
}

/** Reads the payloads of work items, large ones in threads. What fails is an error of that item. */
export async function readItems(items: readonly WorkItem[]): Promise<ReadItem[]> {
  const columns = await readAll(items);
  return items.map(({ payload, ...item }, index) => ({ ...item, read: columns[index] ?? { columns: [] } }));
}

/**
 * Works off calls of a table, in their order: which columns it gets, and what becomes of each call. Calls that were worked
 * off before are passed over, so that the same calls again change nothing.
 * @param items in the order of their sequences.
 * @returns undefined when there is nothing left to do.
 */
export function processDeliveries(
  tableId: number,
  table: ProcessedTable,
  items: readonly ReadItem[],
): CallsProcessed | undefined {
  const left = items.filter(({ sequence }) => sequence > table.upTo);
  const last = left.at(-1);
  if (!last) return undefined;
  const known = new Set(table.columns.map(({ columnName }) => columnName));
  const newColumns: RecordedColumn[] = [];
  const calls = left.map(({ callId, webhookId, replay, read }) => {
    const { columns, error } = columnsOf(read, known);
    for (const column of columns) known.add(column.columnName);
    newColumns.push(...columns);
    return { callId, webhookId, error, replay };
  });
  return { tableId, upTo: last.sequence, newColumns, calls };
}

/** The columns that a payload adds; none when it cannot become a row, with the reason. */
function columnsOf(
  read: PayloadColumns,
  known: ReadonlySet<string>,
): { columns: readonly RecordedColumn[]; error: string | null } {
  if ('error' in read) return { columns: [], error: read.error };
  const columns = read.columns.filter(({ columnName }) => !known.has(columnName));
  if (columns.length > 0 && known.size + columns.length > maxColumns)
    return { columns: [], error: tooManyColumns().message };
  return { columns, error: null };
}

/** Short payloads may be read so long one after the other before other work of the process gets its turn, in milliseconds. */
const longestTurnMs = 10;

async function readAll(items: readonly WorkItem[]): Promise<PayloadColumns[]> {
  const reading: Promise<PayloadColumns>[] = [];
  let turnEnds = performance.now() + longestTurnMs;
  for (const { payload } of items) {
    const read = payloadColumns(payload);
    // What fails meanwhile is thrown below.
    read.catch(() => undefined);
    reading.push(read);
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + longestTurnMs;
  }
  return Promise.all(reading);
}
