import { agentCheck, agentNotAllowed, defineErrors } from '@mneme/service-kit';

const errors = defineErrors({
  'operation-not-found': { status: 404, code: 'NOT_FOUND', message: 'Operation not found' },
  'operation-not-failed': { status: 409, code: 'CONFLICT', message: 'The operation has not failed' },
  'unit-not-found': { status: 404, code: 'NOT_FOUND', message: 'Memory unit not found' },
  'unit-changed': {
    status: 409,
    code: 'CONFLICT',
    message: 'The memory unit has another text than expected_text: read it again, then correct what it says now',
  },
  'document-not-found': { status: 404, code: 'NOT_FOUND', message: 'Document not found' },
  'agent-not-found': { status: 404, code: 'NOT_FOUND', message: 'Agent not found' },
  'agent-erased': { status: 409, code: 'CONFLICT', message: 'The agent was erased meanwhile' },
  'agent-not-allowed': agentNotAllowed,
  'background-too-large': { status: 422, code: 'UNPROCESSABLE', message: 'The background is too large' },
});

/** A command that memory-ingest refuses. */
export class DomainError extends errors.DomainError {}

export const { refusalReply } = errors;

export const assertAgentAllowed = agentCheck(DomainError);
