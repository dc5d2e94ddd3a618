import type { RecordedColumn, WebhookEvent, WebhookEventOf } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';
import { processDeliveries, type ReadItem, withoutColumns } from './process-deliveries.ts';

/** A table by all its events. */
export interface TableState {
  readonly isThere: boolean;
  readonly columns: readonly RecordedColumn[];
  /** The sequence of the last `CallReceived` or `CallReplayed` that is processed for it. */
  readonly upTo: number;
}

export interface CreateTable {
  readonly type: 'CreateTable';
  readonly table: WebhookEventOf<'TableCreated'>['data'];
}

/** Turns deliveries into rows, in order; those that were processed before are skipped. */
export interface ProcessDeliveries {
  readonly type: 'ProcessDeliveries';
  readonly tableId: number;
  readonly items: readonly ReadItem[];
  /** For a delivery whose new columns do not fit into an event: it has failed, and the table stays as it is. */
  readonly isWithoutColumns?: boolean;
}

/** Stores a row in an event of its own, because its delivery is about to be erased from the log. */
export interface KeepRow {
  readonly type: 'KeepRow';
  readonly payload: string;
}

export type TableCommand = CreateTable | ProcessDeliveries | KeepRow;

/** A repeated command creates nothing twice; a row that is kept twice has the same event id, which the log takes once. */
export const tableDecider: Decider<TableState, TableCommand, WebhookEvent> = {
  initialState: { isThere: false, columns: [], upTo: 0 },
  decide: (command, table) => {
    switch (command.type) {
      case 'CreateTable':
        return table.isThere ? [] : [{ type: 'TableCreated', data: command.table }];
      case 'ProcessDeliveries': {
        const processed = table.isThere ? processDeliveries(command.tableId, table, command.items) : undefined;
        if (!processed) return [];
        return [{ type: 'CallsProcessed', data: command.isWithoutColumns ? withoutColumns(processed) : processed }];
      }
      case 'KeepRow':
        return [{ type: 'RowKept', data: new TextEncoder().encode(command.payload) }];
    }
  },
  evolve: (table, event) => {
    if (event.type === 'TableCreated') return { ...table, isThere: true, columns: event.data.columns };
    if (event.type !== 'CallsProcessed') return table;
    const { newColumns, upTo } = event.data;
    const columns = newColumns.length === 0 ? table.columns : [...table.columns, ...newColumns];
    return { ...table, columns, upTo: Math.max(table.upTo, upTo) };
  },
};
