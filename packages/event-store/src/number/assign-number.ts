import type { NumberEvent, NumberedKind } from '@mneme/contracts';
import { type DecidingStore, execute } from '../execute.ts';
import type { EventContext } from '../recorded.ts';
import { assignmentDecider } from './number-decider.ts';
import type { NumberLog, Numbers } from './numbers.ts';

/** A wish for something that gets a number, by what makes it the same wish. */
export interface NumberedCommand {
  readonly kind: NumberedKind;
  readonly userId: number;
  readonly commandId: string;
}

/** Gives a command the number of what it makes; the same command again, also at once, gets the same number. */
export async function assignNumber(
  { store, subjects, numbers }: NumberLog & { readonly numbers: Numbers },
  { kind, userId, commandId }: NumberedCommand,
  context: EventContext,
): Promise<number> {
  const subject = subjects.command(kind, userId, commandId);
  const command = { type: 'AssignNumber', kind, commandId, take: () => numbers.take(kind, context) } as const;
  // The subject holds events of numbers only.
  const deciding = store as DecidingStore<NumberEvent>;
  const { state } = await execute(deciding, assignmentDecider, subject, command, context, { history: 'last' });
  if (state === undefined) throw new Error(`The command ${commandId} has no number`);
  return state;
}
