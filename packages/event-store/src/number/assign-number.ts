import type { NumberEvent, NumberedKind } from '@mneme/contracts';
import { ConflictError } from '../errors.ts';
import type { EventContext } from '../recorded.ts';
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
  const before = await assignedNumber(store, subject);
  if (before !== undefined) return before;
  const number = await numbers.take(kind, context);
  try {
    await store.append(subject, [{ type: 'NumberAssigned', data: { kind, number, commandId } }], 0, context);
    return number;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const assigned = await assignedNumber(store, subject);
    if (assigned === undefined) throw error;
    return assigned;
  }
}

async function assignedNumber(store: NumberLog['store'], subject: string): Promise<number | undefined> {
  const event = (await store.last(subject)) as NumberEvent | undefined;
  return event?.type === 'NumberAssigned' ? event.data.number : undefined;
}
