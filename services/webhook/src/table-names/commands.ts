import { webhookSubjects } from '@mneme/contracts';
import { contended, type EventContext, execute } from '@mneme/event-store';
import type { WebhookDeps } from '../deps.ts';
import { nameOf, tableNamesDecider } from './decider.ts';

/** Takes a free name for a table of a project; a table that has a name keeps it. */
export async function takeTableName(
  { store, tableNames }: Pick<WebhookDeps, 'store' | 'tableNames'>,
  { projectId, tableId, displayName }: { projectId: number; tableId: number; displayName: string },
  context: EventContext,
): Promise<string> {
  const command = { type: 'TakeTableName', projectId, tableId, wanted: tableName(displayName) } as const;
  const options = { ...contended, cache: tableNames };
  const subject = webhookSubjects.tableNames(projectId);
  const { state } = await execute(store, tableNamesDecider, subject, command, context, options);
  const name = nameOf(state, tableId);
  if (name === undefined) throw new Error(`Table ${tableId} has no name`);
  return name;
}

/** The name of a table: in lower case, with runs of white space replaced by `_`. */
export function tableName(displayName: string): string {
  return displayName.toLowerCase().replace(/\s+/g, '_');
}

/** The name of a table for which no name was given. */
export function defaultTableName(at: Date): string {
  return `webhook_${at.getTime()}`;
}
