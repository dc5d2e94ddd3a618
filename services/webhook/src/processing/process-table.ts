import { type WebhookEvent, webhookSubjects } from '@mneme/contracts';
import {
  contended,
  type DecidingStore,
  type EventContext,
  EventTooLargeError,
  execute,
  type Log,
} from '@mneme/event-store';
import { yieldToEventLoop } from '@mneme/workers/time-slices';
import type { PayloadReader } from '../flatten/payload-columns.ts';
import { tableDecider } from '../table/decider.ts';
import { type ReadItem, readItems, type WorkItem } from '../table/process-deliveries.ts';
import { type FoundWork, withPayload } from './find-work.ts';
import { readTable } from './read-table.ts';
import type { KnownTable, ProcessingState } from './state.ts';

export interface TableWorkDeps {
  readonly store: DecidingStore<WebhookEvent>;
  readonly log: Log;
  readonly state: Pick<ProcessingState, 'table'>;
  readonly payloads: PayloadReader;
}

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
    await yieldToEventLoop();
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
  try {
    return await executeOnTable(deps, run);
  } catch (error) {
    if (!(error instanceof EventTooLargeError)) throw error;
    return run.items.length > 1 ? processHalves(deps, run) : executeOnTable(deps, run, { isWithoutColumns: true });
  }
}

/** What others have appended to the table is read after a conflict only. */
async function executeOnTable(
  { store, log }: TableWorkDeps,
  { tableId, table, items, context }: Run,
  { isWithoutColumns = false } = {},
): Promise<KnownTable> {
  let known: KnownTable | undefined;
  const history = async () => {
    known = known ? ((await readTable(log, tableId, known)) ?? known) : table;
    return { state: known, revision: known.revision };
  };
  const command = { type: 'ProcessDeliveries', tableId, items, isWithoutColumns } as const;
  const options = { ...contended, history };
  const subject = webhookSubjects.table(tableId);
  const { state, revision } = await execute(store, tableDecider, subject, command, context, options);
  return { ...state, revision };
}

async function processHalves(deps: TableWorkDeps, run: Run): Promise<KnownTable> {
  const middle = Math.ceil(run.items.length / 2);
  const table = await processRun(deps, { ...run, items: run.items.slice(0, middle) });
  return processRun(deps, { ...run, table, items: run.items.slice(middle) });
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
