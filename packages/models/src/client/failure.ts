import { ModelError, type ModelErrorCode } from '../model-error.ts';
import { failureOfClient } from './client-failure.ts';
import type { Redaction } from './redaction.ts';
import { readRetryAfter } from './retry-after.ts';

export interface FailureContext {
  /** `<provider>:<model>` */
  readonly model: string;
  readonly redact: Redaction;
  readonly now: Date;
}

/** Says what the error of a model's client means for the caller. Only passing errors may be tried again. */
export function toModelError(error: unknown, context: FailureContext): ModelError {
  if (error instanceof ModelError) return error;
  const status = fieldOf(error, 'status');
  return typeof status === 'number' ? errorOfStatus(status, error, context) : failureOfClient(error, context.model);
}

function errorOfStatus(status: number, error: unknown, { model, redact, now }: FailureContext): ModelError {
  const text = textOf(error);
  const retryAfterMs = readRetryAfter(headerOf(error, 'retry-after'), now);
  const { code, what, isOwn } = meaningOf(status, text, retryAfterMs);
  const said = isOwn || text === '' ? '' : ` The server said: ${redact(text)}`;
  return new ModelError(code, `${model}: ${what} (status ${status}).${said}`, { status, retryAfterMs });
}

interface Meaning {
  readonly code: ModelErrorCode;
  readonly what: string;
  /** What the server said adds nothing, or may hold the key. */
  readonly isOwn?: boolean;
}

const usedUp = /insufficient[_ ]quota|exceeded your current quota|billing|credit balance/i;

function meaningOf(status: number, text: string, retryAfterMs: number | undefined): Meaning {
  if (status === 401 || status === 403)
    return { code: 'authentication', what: 'the server refused the key. Check the API key', isOwn: true };
  if (status === 429 && usedUp.test(text)) return { code: 'quota', what: 'the quota of the key is used up' };
  if (status === 429)
    return {
      code: 'rate-limited',
      what: `the server allows no more requests now${waitText(retryAfterMs)}`,
      isOwn: true,
    };
  if (status === 404) return { code: 'configuration', what: 'the server does not know this model or address' };
  if (status === 408) return { code: 'timeout', what: 'the server took too long', isOwn: true };
  if (status >= 500 && status !== 501) return { code: 'unavailable', what: 'the server has failed' };
  return { code: 'configuration', what: 'the server refused the request' };
}

function waitText(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined || retryAfterMs === 0
    ? ''
    : ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
}

/** What the server itself wrote, without what clients put around it. */
function textOf(error: unknown): string {
  const own = fieldOf(fieldOf(error, 'error'), 'message');
  if (typeof own === 'string') return own;
  const message = error instanceof Error ? error.message : '';
  const [written = ''] = message.split('Troubleshooting URL:', 1);
  return written.trimEnd().replace(/^\d{3} (?:status code \(no body\))?/, '');
}

function headerOf(error: unknown, name: string): string | null {
  const headers = fieldOf(error, 'headers');
  return headers instanceof Headers ? headers.get(name) : null;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
