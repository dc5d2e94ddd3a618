import type { WebhookEvent } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

/** The names of a project's tables; undefined while no table has one. */
export type TableNames = TakenName | undefined;

/** The name that was taken last. It refers to the ones before it, so that adding a name copies none of them. */
interface TakenName {
  readonly tableId: number;
  readonly name: string;
  readonly before: TableNames;
  /** What this name and those before it take in memory, estimated in bytes. */
  readonly bytes: number;
}

export interface TakeTableName {
  readonly type: 'TakeTableName';
  readonly projectId: number;
  readonly tableId: number;
  readonly wanted: string;
}

/** What a name takes in memory beside its characters. */
const entryBytes = 80;

/** A table that has a name keeps it, so a repeated command takes no second one. */
export const tableNamesDecider: Decider<TableNames, TakeTableName, WebhookEvent> = {
  initialState: undefined,
  decide: ({ projectId, tableId, wanted }, names) => {
    if (nameOf(names, tableId) !== undefined) return [];
    const name = freeName(wanted, new Set(eachOf(names).map((taken) => taken.name)));
    return [{ type: 'TableNameTaken', data: { projectId, tableId, name } }];
  },
  evolve: (before, event) => {
    if (event.type !== 'TableNameTaken') throw new Error(`${event.type} does not belong to the names of tables`);
    const { tableId, name } = event.data;
    return { tableId, name, before, bytes: tableNamesBytes(before) + entryBytes + 2 * name.length };
  },
};

/** The name of a table; undefined when it has none. */
export function nameOf(names: TableNames, tableId: number): string | undefined {
  return eachOf(names).find((taken) => taken.tableId === tableId)?.name;
}

/** Estimates the memory of a project's names in bytes. */
export function tableNamesBytes(names: TableNames): number {
  return names?.bytes ?? 0;
}

function* eachOf(names: TableNames): Generator<TakenName> {
  for (let taken = names; taken; taken = taken.before) yield taken;
}

/** The name itself, or the first of `name_2`, `name_3` and so on that is not taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let suffix = 2; ; suffix += 1) {
    const suffixed = `${name}_${suffix}`;
    if (!taken.has(suffixed)) return suffixed;
  }
}
