import { type ErrorReply, WireError } from '@mneme/contracts';
import { classify } from '../errors/error-replies.ts';
import type { RequestHandler } from './request.ts';

/** A command or a question that the domain refuses; it knows nothing of HTTP or NATS. */
interface DomainError<Code extends string> extends Error {
  readonly code: Code;
}

/** What callers are told of an unexpected error. */
export type Failure = Pick<ErrorReply, 'code' | 'message'>;

/** The refusals of one service, and what crosses to its callers. */
export interface ServiceErrors<Code extends string> {
  /** Thrown to refuse; the message is the one of the code's reply unless another one is given. */
  readonly DomainError: new (
    code: Code,
    message?: string,
  ) => DomainError<Code>;
  /** @returns the refusal as it crosses to the caller, or undefined for any other error */
  readonly refusalReply: (error: unknown) => WireError | undefined;
  /**
   * Gives the unexpected errors of a handler the code and message that the callers of its endpoint know. Refusals, and
   * errors that have a reply of their own (a conflict, a store out of reach, a deadline), stay as they are.
   */
  readonly failingAs: <Req, Rep>(
    failure: (cause: unknown, request: Req) => Failure | Promise<Failure>,
    handler: RequestHandler<Req, Rep>,
  ) => RequestHandler<Req, Rep>;
}

/** @param replies the reply to each refusal, by its code; a code without one does not compile */
export function defineErrors<Code extends string>(replies: Readonly<Record<Code, ErrorReply>>): ServiceErrors<Code> {
  class ServiceDomainError extends Error implements DomainError<Code> {
    override readonly name = 'DomainError';
    readonly code: Code;

    constructor(code: Code, message = replies[code].message) {
      super(message);
      this.code = code;
    }
  }
  const isRefusal = (error: unknown): error is DomainError<Code> => error instanceof ServiceDomainError;
  const refusalReply = (error: unknown) => {
    if (!isRefusal(error)) return undefined;
    return new WireError({ ...replies[error.code], message: error.message }, { cause: error });
  };
  return {
    DomainError: ServiceDomainError,
    refusalReply,
    failingAs: (failure, handler) => async (request, context) => {
      try {
        return await handler(request, context);
      } catch (error) {
        const { refusal } = classify(refusalReply(error) ?? error, context.signal);
        if (error instanceof WireError || !refusal.isUnexplained) throw error;
        throw new WireError({ ...(await failure(error, request)), status: 500 }, { cause: error });
      }
    },
  };
}

/** The reply to the code `agent-not-allowed`. */
export const agentNotAllowed: ErrorReply = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'The key is bound to another agent',
};

/**
 * @param DomainError of the service
 * @returns a function that refuses what belongs to another agent than `onlyAgent`, which is undefined for a caller who may
 * access any
 */
export function agentCheck(DomainError: new (code: 'agent-not-allowed') => Error) {
  return (agentId: string, onlyAgent: string | undefined): void => {
    if (onlyAgent !== undefined && agentId !== onlyAgent) throw new DomainError('agent-not-allowed');
  };
}
