import { MnemeError } from '@mneme/client';
import { useState } from 'react';

/**
 * Sends a command.
 * @param input what it says; with another input it is another command
 * @param send sends it with these options
 */
export type RunCommand = <Result>(
  input: unknown,
  send: (options: { readonly idempotencyKey: string }) => Promise<Result>,
) => Promise<Result>;

/** Refusals of a request that say nothing about the one before it, whose answer may have been lost. */
const undecided: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/** A command that the server carries out once, also if it is sent again because the answer did not arrive. */
export function createCommand(): RunCommand {
  let open: { readonly input: string; readonly idempotencyKey: string } | undefined;
  return async (input, send) => {
    const said = JSON.stringify(input);
    if (open?.input !== said) open = { input: said, idempotencyKey: newId() };
    try {
      const result = await send({ idempotencyKey: open.idempotencyKey });
      open = undefined;
      return result;
    } catch (error) {
      if (isRefusal(error)) open = undefined;
      throw error;
    }
  };
}

/** Of a button: pressed again after a lost answer, it repeats its command; after an answer it begins another one. */
export function useCommand(): RunCommand {
  return useState(createCommand)[0];
}

/** 128 random bits. Browsers have `randomUUID` on secure pages only. */
export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** The server repeats a refusal for the same key; with another one, the command may succeed later. */
function isRefusal(error: unknown): boolean {
  return error instanceof MnemeError && error.status >= 400 && error.status < 500 && !undecided.has(error.status);
}
