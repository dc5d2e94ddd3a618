import type { WebhookEvent } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

/** The names of a project's tables, by table id. */
export type TableNames = ReadonlyMap<number, string>;

export interface TakeTableName {
  readonly type: 'TakeTableName';
  readonly projectId: number;
  readonly tableId: number;
  readonly wanted: string;
}

/** A table that has a name keeps it, so a repeated command takes no second one. */
export const tableNamesDecider: Decider<TableNames, TakeTableName, WebhookEvent> = {
  initialState: new Map(),
  decide: ({ projectId, tableId, wanted }, names) => {
    if (names.has(tableId)) return [];
    const name = freeName(wanted, new Set(names.values()));
    return [{ type: 'TableNameTaken', data: { projectId, tableId, name } }];
  },
  evolve: (names, event) => {
    if (event.type !== 'TableNameTaken') throw new Error(`${event.type} does not belong to the names of tables`);
    return new Map([...names, [event.data.tableId, event.data.name]]);
  },
};

/** The name itself, or the first of `name_2`, `name_3` and so on that is not taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let suffix = 2; ; suffix += 1) {
    const suffixed = `${name}_${suffix}`;
    if (!taken.has(suffixed)) return suffixed;
  }
}
