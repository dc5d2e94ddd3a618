import { type ErrorCode, WireError } from '@mneme/contracts';
import { CallerGoneError, toWireError } from '../http/failure.ts';

/** What callers are told of a surprise. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Gives a surprise the code and sentence that callers know it by; whatever has one of its own keeps it. */
export async function orFail<Reply>({ code, message }: Failure, act: () => Promise<Reply>): Promise<Reply> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CallerGoneError) throw error;
    const failure = toWireError(error);
    if (failure.status !== 500 || failure.message !== 'Internal error') throw error;
    throw new WireError({ status: 500, code, message }, { cause: failure.cause });
  }
}
