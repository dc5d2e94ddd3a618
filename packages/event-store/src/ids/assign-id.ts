import type { IdEvent, IdKind } from '@mneme/contracts';
import { type DecidingStore, execute } from '../execute.ts';
import type { EventContext } from '../recorded.ts';
import { assignmentDecider } from './decider.ts';
import type { IdLog, Ids } from './ids.ts';

/** A wish for something that gets a number, by what makes it the same wish. */
export interface IdCommand {
  readonly kind: IdKind;
  readonly userId: number;
  readonly commandId: string;
}

/** Gives a command the number of what it makes; the same command again, also at once, gets the same number. */
export async function assignId(
  { store, subjects, ids }: IdLog & { readonly ids: Ids },
  { kind, userId, commandId }: IdCommand,
  context: EventContext,
): Promise<number> {
  const subject = subjects.command(kind, userId, commandId);
  const command = { type: 'AssignId', kind, commandId, take: () => ids.take(kind, context) } as const;
  // The subject holds events of numbers only.
  const deciding = store as DecidingStore<IdEvent>;
  const { state } = await execute(deciding, assignmentDecider, subject, command, context, { history: 'last' });
  if (state === undefined) throw new Error(`The command ${commandId} has no number`);
  return state;
}
