import { type ErrorCode, type ErrorReply, WireError } from '@mneme/contracts';
import { answeringUnexpectedErrors, type RequestHandler, UnsealError, withoutCredentials } from '@mneme/service-kit';

/** Why a command or a question was refused. */
export type RefusalCode = 'project-not-found' | 'webhook-not-found' | 'table-not-found' | 'delivery-not-found';

const refusals: Record<RefusalCode, ErrorReply> = {
  'project-not-found': { status: 404, code: 'NOT_FOUND', message: 'Project not found' },
  'webhook-not-found': { status: 404, code: 'NOT_FOUND', message: 'Webhook not found' },
  'table-not-found': { status: 404, code: 'NOT_FOUND', message: 'Table not found' },
  'delivery-not-found': { status: 404, code: 'NOT_FOUND', message: 'Webhook log not found' },
};

/** What the domain refuses; knows nothing of HTTP. */
export class DomainError extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(refusals[code].message);
    this.name = 'DomainError';
    this.code = code;
  }
}

/** A refusal as it crosses to the gateway; undefined for anything else. */
export function refusalReply(error: unknown): WireError | undefined {
  if (!(error instanceof DomainError)) return undefined;
  return new WireError(refusals[error.code], { cause: error });
}

/** Gives what nobody has expected the code that the callers of an endpoint know, and says what it was. */
export function failingAs<Req, Rep>(code: ErrorCode, handler: RequestHandler<Req, Rep>): RequestHandler<Req, Rep> {
  const answer = (cause: unknown) => new WireError({ status: 500, code, message: safeMessage(cause) }, { cause });
  return answeringUnexpectedErrors(handler, { mapError: refusalReply, answer });
}

const longestMessage = 200;
/** Addresses with a scheme, and paths of files. */
const places = /(?<![\w+.-])[\w+.-]+:\/\/\S+|(?<![\w.])\/[\w.@-]+(?:\/[\w.@-]+)+\S*/g;

/** The message of an error for the caller: no address, path, query or credential. What stores say can hold data. */
export function safeMessage(error: unknown): string {
  if (error instanceof UnsealError) return error.message;
  if (!(error instanceof Error) || error.name.startsWith('Mongo')) return 'The store refused the request';
  const [line = ''] = error.message.split('\n');
  return withoutCredentials(line).replace(places, '[hidden]').slice(0, longestMessage) || 'Internal error';
}
