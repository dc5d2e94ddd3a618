import { agentCheck, agentNotAllowed, defineErrors } from '@mneme/service-kit';

const errors = defineErrors({
  'unit-not-found': { status: 404, code: 'NOT_FOUND', message: 'Memory unit not found' },
  'opinion-not-found': { status: 404, code: 'NOT_FOUND', message: 'Opinion not found' },
  'operation-not-found': { status: 404, code: 'NOT_FOUND', message: 'Operation not found' },
  'document-not-found': { status: 404, code: 'NOT_FOUND', message: 'Document not found' },
  'document-too-long': { status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The document has too much text' },
  'agent-not-allowed': agentNotAllowed,
  'cursor-invalid': {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'Invalid cursor: send the next_cursor of the page before as it was given',
  },
});

/** A question that memory-query refuses. */
export class DomainError extends errors.DomainError {}

export const { refusalReply } = errors;

export const assertAgentAllowed = agentCheck(DomainError);
