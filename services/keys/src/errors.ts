import { defineErrors } from '@mneme/service-kit';

const errors = defineErrors({
  'space-not-found': { status: 404, code: 'NOT_FOUND', message: 'Space not found' },
  'project-not-found': { status: 404, code: 'NOT_FOUND', message: 'Project not found' },
  'key-storage-not-found': { status: 404, code: 'NOT_FOUND', message: 'api_keys_list table not found' },
  'key-not-found': { status: 404, code: 'NOT_FOUND', message: 'API key not found' },
  'key-regenerated': {
    status: 409,
    code: 'CONFLICT',
    message: 'This request has created a key that was regenerated since; regenerate the key to get another one',
  },
  'key-space-not-yours': {
    status: 403,
    code: 'FORBIDDEN',
    message: 'You do not own the space of this API key; you can only deactivate or delete it',
  },
  'key-not-yours': { status: 403, code: 'FORBIDDEN', message: 'You can only manage your own API keys' },
});

/** A command or a question that the keys service refuses. */
export class DomainError extends errors.DomainError {}

export const { refusalReply, failingAs } = errors;
