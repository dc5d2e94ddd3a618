import { type ErrorReply, WireError } from '@mneme/contracts';

/** Why a command was refused. */
export type RefusalCode =
  | 'operation-not-found'
  | 'operation-not-failed'
  | 'unit-not-found'
  | 'document-not-found'
  | 'agent-not-found'
  | 'agent-erased'
  | 'agent-not-allowed'
  | 'background-too-large';

/** A command that the domain refuses; independent of HTTP. */
export class DomainError extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
  }
}

/**
 * Refuses access to another agent than the only one that a caller may access.
 * @param onlyAgent undefined for a caller who may access any agent
 * @throws DomainError `agent-not-allowed`
 */
export function assertAgentAllowed(agentId: string, onlyAgent: string | undefined): void {
  if (onlyAgent === undefined || agentId === onlyAgent) return;
  throw new DomainError('agent-not-allowed', 'The key is bound to another agent');
}

const replies: Record<RefusalCode, Pick<ErrorReply, 'status' | 'code'>> = {
  'operation-not-found': { status: 404, code: 'NOT_FOUND' },
  'operation-not-failed': { status: 409, code: 'CONFLICT' },
  'unit-not-found': { status: 404, code: 'NOT_FOUND' },
  'document-not-found': { status: 404, code: 'NOT_FOUND' },
  'agent-not-found': { status: 404, code: 'NOT_FOUND' },
  'agent-erased': { status: 409, code: 'CONFLICT' },
  'agent-not-allowed': { status: 403, code: 'FORBIDDEN' },
  'background-too-large': { status: 422, code: 'UNPROCESSABLE' },
};

/** The reply to the gateway for a refusal; undefined for any other error. */
export function refusalReply(error: unknown): WireError | undefined {
  if (!(error instanceof DomainError)) return undefined;
  return new WireError({ ...replies[error.code], message: error.message }, { cause: error });
}
