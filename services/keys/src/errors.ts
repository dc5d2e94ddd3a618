import { type ErrorReply, WireError } from '@mneme/contracts';
import { answeringUnexpectedErrors, type RequestHandler } from '@mneme/service-kit';

/** Why a command was refused. */
export type RefusalCode =
  | 'space-not-found'
  | 'project-not-found'
  | 'key-storage-not-found'
  | 'key-not-found'
  | 'key-not-yours';

/** A command that the domain refuses; knows nothing of HTTP. */
export class DomainError extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
  }
}

const replies: Record<RefusalCode, Pick<ErrorReply, 'status' | 'code'>> = {
  'space-not-found': { status: 404, code: 'NOT_FOUND' },
  'project-not-found': { status: 404, code: 'NOT_FOUND' },
  'key-storage-not-found': { status: 404, code: 'NOT_FOUND' },
  'key-not-found': { status: 404, code: 'NOT_FOUND' },
  'key-not-yours': { status: 403, code: 'FORBIDDEN' },
};

/** A refusal as it crosses to the gateway; undefined for anything else. */
export function refusalReply(error: unknown): WireError | undefined {
  if (!(error instanceof DomainError)) return undefined;
  return new WireError({ ...replies[error.code], message: error.message }, { cause: error });
}

/** Gives what nobody has expected the words that the callers of an endpoint know; they may depend on the request. */
export function failingAs<Req, Rep>(
  message: string | ((request: Req) => Promise<string>),
  handler: RequestHandler<Req, Rep>,
): RequestHandler<Req, Rep> {
  const answer = async (cause: unknown, request: Req) => {
    const words = typeof message === 'string' ? message : await message(request);
    return new WireError({ status: 500, code: 'INTERNAL_ERROR', message: words }, { cause });
  };
  return answeringUnexpectedErrors(handler, { mapError: refusalReply, answer });
}
