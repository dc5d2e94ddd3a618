import { type ErrorReply, WireError } from '@mneme/contracts';

/** Why a command was refused. */
export type RefusalCode =
  | 'operation-not-found'
  | 'operation-not-failed'
  | 'unit-not-found'
  | 'document-not-found'
  | 'agent-not-found'
  | 'agent-erased';

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
  'operation-not-found': { status: 404, code: 'NOT_FOUND' },
  'operation-not-failed': { status: 409, code: 'CONFLICT' },
  'unit-not-found': { status: 404, code: 'NOT_FOUND' },
  'document-not-found': { status: 404, code: 'NOT_FOUND' },
  'agent-not-found': { status: 404, code: 'NOT_FOUND' },
  'agent-erased': { status: 409, code: 'CONFLICT' },
};

/** A refusal as it crosses to the gateway; undefined for anything else. */
export function refusalReply(error: unknown): WireError | undefined {
  if (!(error instanceof DomainError)) return undefined;
  return new WireError({ ...replies[error.code], message: error.message }, { cause: error });
}
