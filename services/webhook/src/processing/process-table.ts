import { setTimeout as pause } from 'node:timers/promises';
import { type WebhookEvent, webhookSubjects } from '@mneme/contracts';
import { ConflictError, type EventContext, type EventStore, EventTooLargeError, type Log } from '@mneme/event-store';
import { nextTurn } from '@mneme/workers/turns';
import type { PayloadReader } from '../flatten/payload-columns.ts';
import { tableDecider } from '../table/decider.ts';
import {
  type CallsProcessed,
  processDeliveries,
  type ReadItem,
  readItems,
  type WorkItem,
} from '../table/process-deliveries.ts';
import { type FoundWork, withPayload } from './find-work.ts';
import { readTable } from './read-table.ts';
import type { KnownTable, ProcessingState } from './state.ts';

export interface TableWorkDeps {
  readonly store: Pick<EventStore<WebhookEvent>, 'append'>;
  readonly log: Log;
  readonly state: Pick<ProcessingState, 'table'>;
  readonly payloads: PayloadReader;
  /** How long to wait after the given conflict, counted from 1, in milliseconds; `conflictPauseMs` unless given. */
  readonly pauseMs?: (conflicts: number) => number;
}

const maxAttempts = 10;
const longestPauseMs = 100;
/** The most bytes of payloads that are processed at once, unless one alone is larger; other work gets its turn in between. */
const maxRunBytes = 1024 * 1024;
/** How many payloads are read from the log at once. */
const readsAtOnce = 16;

/**
 * Processes deliveries of one table, in order. It decides by the state of the table, which it remembers; events that another
 * instance has appended show as a conflict, and are read then.
 * @returns the table after it; undefined when there is none
 * @throws ConflictError when every attempt met a conflict
 */
export async function processTable(
  deps: TableWorkDeps,
  tableId: number,
  work: readonly FoundWork[],
): Promise<KnownTable | undefined> {
  const { table: known, isCached } = await deps.state.table(tableId);
  let table = isCached ? known : await readTable(deps.log, tableId, known);
  if (!table) return undefined;
  const { upTo } = table;
  const due = work.filter(({ sequence }) => sequence > upTo);
  for await (const items of runsOf(deps.log, due)) {
    const read = await readItems(deps.payloads, items);
    table = await processRun(deps, { tableId, table, items: read, context: contextOf(work) });
    await nextTurn();
  }
  return table;
}

interface Run {
  readonly tableId: number;
  readonly table: KnownTable;
  readonly items: readonly ReadItem[];
  readonly context: EventContext;
}

async function processRun(deps: TableWorkDeps, run: Run): Promise<KnownTable> {
  let { table } = run;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await appendOnce(deps, { ...run, table });
    } catch (error) {
      if (error instanceof EventTooLargeError) return processHalves(deps, { ...run, table });
      if (!(error instanceof ConflictError) || attempt === maxAttempts) throw error;
      await pause((deps.pauseMs ?? conflictPauseMs)(attempt));
      table = (await readTable(deps.log, run.tableId, table)) ?? table;
    }
  }
}

/** Longer and longer, and random, so that those who append to the same table do not meet again and again. */
function conflictPauseMs(conflicts: number): number {
  return Math.random() * Math.min(2 ** conflicts, longestPauseMs);
}

async function appendOnce({ store }: TableWorkDeps, { tableId, table, items, context }: Run): Promise<KnownTable> {
  const append = async (events: readonly WebhookEvent[]): Promise<KnownTable> => {
    const { sequence } = await store.append(webhookSubjects.table(tableId), events, table.revision, context);
    return { ...events.reduce(tableDecider.evolve, table), revision: sequence };
  };
  const events = tableDecider.decide({ type: 'ProcessDeliveries', tableId, items }, table);
  if (events.length === 0) return table;
  return append(events).catch((error: unknown) => {
    const alone =
      error instanceof EventTooLargeError && items.length === 1 ? processDeliveries(tableId, table, items) : undefined;
    if (!alone) throw error;
    return append([{ type: 'CallsProcessed', data: withoutColumns(alone) }]);
  });
}

async function processHalves(deps: TableWorkDeps, run: Run): Promise<KnownTable> {
  const middle = Math.ceil(run.items.length / 2);
  const table = await processRun(deps, { ...run, items: run.items.slice(0, middle) });
  return processRun(deps, { ...run, table, items: run.items.slice(middle) });
}

/** One delivery alone can have more new columns than fit into an event. */
function withoutColumns(processed: CallsProcessed): CallsProcessed {
  const error = 'The new columns of the payload take more than the event log can keep at once';
  return { ...processed, newColumns: [], calls: processed.calls.map((call) => ({ ...call, error })) };
}

/** Reads the payloads, and yields as many as may be in memory at once, at least one. */
async function* runsOf(log: Log, work: readonly FoundWork[]): AsyncGenerator<WorkItem[]> {
  let run: WorkItem[] = [];
  let bytes = 0;
  for (let from = 0; from < work.length; from += readsAtOnce) {
    const found = await Promise.all(work.slice(from, from + readsAtOnce).map((each) => withPayload(log, each)));
    for (const item of found) {
      if (!item) continue;
      if (run.length > 0 && bytes + item.payload.length > maxRunBytes) {
        yield run;
        [run, bytes] = [[], 0];
      }
      run.push(item);
      bytes += item.payload.length;
    }
  }
  if (run.length > 0) yield run;
}

function contextOf(work: readonly FoundWork[]): EventContext {
  const event = work.at(-1)?.event;
  return { correlationId: event?.correlationId ?? '', ...(event ? { causationId: event.id } : {}) };
}
