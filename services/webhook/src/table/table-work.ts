import type { WebhookEvent, webhookSubjects } from '@mneme/contracts';
import {
  ConflictError,
  type EventContext,
  type EventStore,
  EventTooLargeError,
  type Follower,
} from '@mneme/event-store';
import type { WebhookCollections } from '../read-model/collections.ts';
import { type CallsProcessed, type TableState, type WorkItem, workOff } from './work-off.ts';

export interface TableWorkDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly subjects: typeof webhookSubjects;
  readonly readModel: Follower;
  readonly rows: () => WebhookCollections;
}

/** Works off calls of tables, and remembers how the tables are after it. */
export interface TableWork {
  /** @throws ConflictError when others change the table again and again. */
  run(tableId: number, items: readonly WorkItem[], context: EventContext): Promise<void>;
}

type KnownTable = TableState & { readonly revision: number };

const maxAttempts = 10;
const waitMs = 30_000;
const maxRemembered = 1_000;

export function createTableWork(deps: TableWorkDeps): TableWork {
  const known = new Map<number, KnownTable>();
  const run = async (tableId: number, items: readonly WorkItem[], context: EventContext): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const table = known.get(tableId) ?? (await readTable(deps, tableId));
        if (known.size >= maxRemembered) known.clear();
        if (table) known.set(tableId, await workOffOnce(deps, tableId, table, items, context));
        return;
      } catch (error) {
        known.delete(tableId);
        if (error instanceof EventTooLargeError) return runHalves(run, tableId, items, context);
        // Somebody else has worked for the table, or has kept rows of it: what is left is decided again.
        if (!(error instanceof ConflictError) || attempt === maxAttempts) throw error;
      }
    }
  };
  return { run };
}

async function workOffOnce(
  { store, subjects }: TableWorkDeps,
  tableId: number,
  table: KnownTable,
  items: readonly WorkItem[],
  context: EventContext,
): Promise<KnownTable> {
  const processed = await workOff(tableId, table, items);
  if (!processed) return table;
  const append = async (data: CallsProcessed): Promise<KnownTable> => {
    const events = [{ type: 'CallsProcessed', data } as const];
    const { sequence } = await store.append(subjects.table(tableId), events, table.revision, context);
    return { columns: [...table.columns, ...data.newColumns], upTo: data.upTo, revision: sequence };
  };
  return append(processed).catch((error: unknown) => {
    if (!(error instanceof EventTooLargeError) || processed.calls.length > 1) throw error;
    return append(withoutColumns(processed));
  });
}

async function runHalves(
  run: TableWork['run'],
  tableId: number,
  items: readonly WorkItem[],
  context: EventContext,
): Promise<void> {
  const middle = Math.ceil(items.length / 2);
  await run(tableId, items.slice(0, middle), context);
  await run(tableId, items.slice(middle), context);
}

/** One call alone can bring more names than fit into an event. */
function withoutColumns(processed: CallsProcessed): CallsProcessed {
  const error = 'The new columns of the payload take more than the event log can keep at once';
  return { ...processed, newColumns: [], calls: processed.calls.map((call) => ({ ...call, error })) };
}

/** As the log has it now; undefined when there is no such table. */
async function readTable(
  { store, subjects, readModel, rows }: TableWorkDeps,
  tableId: number,
): Promise<KnownTable | undefined> {
  const head = await store.head(subjects.table(tableId));
  if (!(await readModel.await(head, waitMs))) throw new Error('The read model is behind the event log');
  const table = await rows().tables.findOne({ _id: tableId });
  if (!table) return undefined;
  const { columns, upTo, revision } = table;
  return { columns, upTo, revision };
}
