import { defineErrors } from '@mneme/service-kit';

const errors = defineErrors({
  'unit-not-found': { status: 404, code: 'NOT_FOUND', message: 'Memory unit not found' },
  'opinion-not-found': { status: 404, code: 'NOT_FOUND', message: 'Opinion not found' },
  'operation-not-found': { status: 404, code: 'NOT_FOUND', message: 'Operation not found' },
  'document-not-found': { status: 404, code: 'NOT_FOUND', message: 'Document not found' },
  'document-too-long': { status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The document has too much text' },
  'agent-not-allowed': { status: 403, code: 'FORBIDDEN', message: 'The key is bound to another agent' },
  'cursor-invalid': {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'Invalid cursor: send the next_cursor of the page before as it was given',
  },
});

/** A question that memory-query refuses. */
export class DomainError extends errors.DomainError {}

export const { refusalReply } = errors;

/**
 * Refuses what belongs to another agent than the only one that a caller may access.
 * @param onlyAgent undefined for a caller who may access any
 * @throws DomainError `agent-not-allowed`
 */
export function assertAgentAllowed(agentId: string, onlyAgent: string | undefined): void {
  if (onlyAgent !== undefined && agentId !== onlyAgent) throw new DomainError('agent-not-allowed');
}
