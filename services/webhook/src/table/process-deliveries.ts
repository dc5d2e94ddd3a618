import { maxColumns, type RecordedColumn, type WebhookEventOf } from '@mneme/contracts';
import { createTimeSlice } from '@mneme/workers/time-slices';
import { tooManyColumns } from '../flatten/json-tree.ts';
import type { PayloadColumns, PayloadReader } from '../flatten/payload-columns.ts';

/** The state of a table that the outcome of deliveries depends on. */
export interface ProcessedTable {
  readonly columns: readonly RecordedColumn[];
  /** The sequence of the last work item that is processed for it. */
  readonly upTo: number;
}

/** A delivery to process, for the first time or again. */
export interface WorkItem {
  /** Of the `CallReceived` or `CallReplayed` that requires it. */
  readonly sequence: number;
  readonly deliveryId: number;
  readonly webhookId: number;
  /** JSON text as it came. */
  readonly payload: string;
  /** The replay of many deliveries that it belongs to. */
  readonly replay: number | null;
}

type CallsProcessed = WebhookEventOf<'CallsProcessed'>['data'];

/** A work item whose payload was read. */
export interface ReadItem extends Omit<WorkItem, 'payload'> {
  readonly read: PayloadColumns;
}

/** Reads the payloads of work items, large ones in threads. A payload that cannot become a row is an error of its item. */
export async function readItems(
  payloads: Pick<PayloadReader, 'read'>,
  items: readonly WorkItem[],
): Promise<ReadItem[]> {
  const columns = await readAll(payloads, items);
  return items.map(({ payload, ...item }, index) => ({ ...item, read: columns[index] ?? { columns: [] } }));
}

/**
 * Processes deliveries of a table, in order: decides which columns the table gets, and the outcome of each delivery.
 * Deliveries that were processed before are skipped, so processing them again changes nothing.
 * @param items in the order of their sequences
 * @returns undefined when there is nothing left to process
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
  const outcomes = left.map(({ deliveryId, webhookId, replay, read }) => {
    const { columns, error } = columnsOf(read, known);
    for (const column of columns) known.add(column.columnName);
    newColumns.push(...columns);
    return { callId: deliveryId, webhookId, error, replay };
  });
  return { tableId, upTo: last.sequence, newColumns, calls: outcomes };
}

/** The same deliveries, failed, since their new columns are too many for one event. */
export function withoutColumns(processed: CallsProcessed): CallsProcessed {
  const error = 'The new columns of the payload take more than the event log can keep at once';
  return { ...processed, newColumns: [], calls: processed.calls.map((outcome) => ({ ...outcome, error })) };
}

/** The columns that a payload adds, or the reason why it cannot become a row. */
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

async function readAll(payloads: Pick<PayloadReader, 'read'>, items: readonly WorkItem[]): Promise<PayloadColumns[]> {
  const reading: Promise<PayloadColumns>[] = [];
  const slice = createTimeSlice();
  for (const { payload } of items) {
    const read = payloads.read(payload);
    // A failure before `Promise.all` is thrown there, and is no unhandled rejection.
    read.catch(() => undefined);
    reading.push(read);
    if (slice.isOver()) await slice.next();
  }
  return Promise.all(reading);
}
