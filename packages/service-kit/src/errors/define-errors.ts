import { WireError } from '@mneme/contracts';
import type { RequestHandler } from '../service/service.ts';
import { classify } from './error-replies.ts';

export interface UnexpectedErrorOptions<Req> {
  /** What the domain makes of an error; undefined for one that it does not know. */
  readonly mapError: (error: unknown) => WireError | undefined;
  /** What is answered to what nobody has expected. */
  readonly answer: (error: unknown, request: Req) => WireError | Promise<WireError>;
}

/** Lets a handler answer what nobody has expected in its own words; whatever has an answer of its own keeps it. */
export function answeringUnexpectedErrors<Req, Rep>(
  handler: RequestHandler<Req, Rep>,
  { mapError, answer }: UnexpectedErrorOptions<Req>,
): RequestHandler<Req, Rep> {
  return async (request, context) => {
    try {
      return await handler(request, context);
    } catch (error) {
      const { refusal } = classify(mapError(error) ?? error, context.signal);
      if (error instanceof WireError || refusal.status !== 500 || refusal.cause !== error) throw error;
      throw await answer(error, request);
    }
  };
}
