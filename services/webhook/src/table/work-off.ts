import { maxColumns, type RecordedColumn, type WebhookEventOf } from '@mneme/contracts';
import { flatten, reservedNames, tooManyColumns } from '../flatten/flatten.ts';
import { inferType } from '../flatten/infer-type.ts';
import { PayloadError } from '../flatten/json-tree.ts';

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

/**
 * Works off calls of a table, in their order: which columns it gets, and what becomes of each call. Calls that were worked
 * off before are passed over, so that the same calls again change nothing.
 * @param items in the order of their sequences.
 * @returns undefined when there is nothing left to do.
 */
export function workOff(
  tableId: number,
  table: ProcessedTable,
  items: readonly WorkItem[],
): CallsProcessed | undefined {
  const left = items.filter(({ sequence }) => sequence > table.upTo);
  const last = left.at(-1);
  if (!last) return undefined;
  const known = new Set(table.columns.map(({ columnName }) => columnName));
  const newColumns: RecordedColumn[] = [];
  const calls = left.map(({ callId, webhookId, payload, replay }) => {
    const { columns, error } = columnsOf(payload, known);
    for (const column of columns) known.add(column.columnName);
    newColumns.push(...columns);
    return { callId, webhookId, error, replay };
  });
  return { tableId, upTo: last.sequence, newColumns, calls };
}

/** The columns that a payload adds; none when it cannot become a row, with the reason. */
function columnsOf(
  payload: string,
  known: ReadonlySet<string>,
): { columns: readonly RecordedColumn[]; error: string | null } {
  try {
    const columns: RecordedColumn[] = [];
    for (const [columnName, { displayName, firstJson }] of flatten(payload)) {
      if (known.has(columnName) || reservedNames.has(columnName)) continue;
      columns.push({ columnName, displayName, type: inferType(firstJson) });
    }
    if (columns.length > 0 && known.size + columns.length > maxColumns) throw tooManyColumns();
    return { columns, error: null };
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    return { columns: [], error: error.message };
  }
}
