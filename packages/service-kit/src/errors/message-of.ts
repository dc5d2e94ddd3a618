import { shownMessage } from './shown-message.ts';

/** The message of whatever was thrown, without values that a store quotes. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? shownMessage(error) : String(error);
}
