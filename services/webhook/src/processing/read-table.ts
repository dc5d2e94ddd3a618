import { webhookEvents, webhookSubjects } from '@mneme/contracts';
import { decodeEvent, type Log, lastSequence, readUpTo } from '@mneme/event-store';
import { tableDecider } from '../table/decider.ts';
import type { KnownTable } from './state.ts';

/**
 * Brings a table up to date with the log, page by page.
 * @param known an earlier state of it; undefined: from its first event on
 * @returns undefined when there is no such table
 */
export async function readTable(
  log: Log,
  tableId: number,
  known: KnownTable | undefined,
): Promise<KnownTable | undefined> {
  const subject = webhookSubjects.table(tableId);
  const upTo = await lastSequence(log, subject);
  // A damaged file of the log may no longer give the last event that is known: nothing could be appended to that state.
  const isProven = known !== undefined && upTo >= known.revision;
  let table: KnownTable = isProven ? known : { ...tableDecider.initialState, revision: 0 };
  for await (const messages of readUpTo(log, { subject, from: table.revision + 1, upTo })) {
    for (const message of messages) {
      table = { ...tableDecider.evolve(table, decodeEvent(webhookEvents, message)), revision: message.sequence };
    }
  }
  return table.isThere ? table : undefined;
}
