import type { ErrorCode } from '@mneme/contracts';
import { defineErrors, type RequestHandler, withoutCredentials } from '@mneme/service-kit';

const errors = defineErrors({
  'project-not-found': { status: 404, code: 'NOT_FOUND', message: 'Project not found' },
  'webhook-not-found': { status: 404, code: 'NOT_FOUND', message: 'Webhook not found' },
  'webhook-deleted': {
    status: 409,
    code: 'CONFLICT',
    message: 'This webhook was deleted, and its token cannot be used again',
  },
  'replay-under-way': {
    status: 409,
    code: 'CONFLICT',
    message: 'An earlier replay of this webhook is not done',
  },
  'table-not-found': { status: 404, code: 'NOT_FOUND', message: 'Table not found' },
  'delivery-not-found': { status: 404, code: 'NOT_FOUND', message: 'Webhook log not found' },
});

/** A command or a question that the webhook service refuses. */
export class DomainError extends errors.DomainError {}

export const { refusalReply } = errors;

/** Gives the unexpected errors of a handler the code that the callers of its endpoint know, and a safe message. */
export function failingAs<Req, Rep>(code: ErrorCode, handler: RequestHandler<Req, Rep>): RequestHandler<Req, Rep> {
  return errors.failingAs((cause) => ({ code, message: safeMessage(cause) }), handler);
}

const longestMessage = 200;
/** Addresses with a scheme, and paths of files. */
const places = /(?<![\w+.-])[\w+.-]+:\/\/\S+|(?<![\w.])\/[\w.@-]+(?:\/[\w.@-]+)+\S*/g;

/**
 * The message of an error for the caller, without addresses, paths, queries and credentials. Messages of stores are
 * replaced, because they may contain data.
 */
export function safeMessage(error: unknown): string {
  if (!(error instanceof Error) || error.name.startsWith('Mongo')) return 'The store refused the request';
  const [line = ''] = error.message.split('\n');
  return withoutCredentials(line).replace(places, '[hidden]').slice(0, longestMessage) || 'Internal error';
}
