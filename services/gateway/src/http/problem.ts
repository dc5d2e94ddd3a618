import { STATUS_CODES } from 'node:http';
import type { ErrorCode, Problem, WireError } from '@mneme/contracts';
import { withoutCredentials } from '@mneme/service-kit';
import { ChallengeError } from '../errors.ts';
import type { Answer } from './answers.ts';

/** What a caller is told to wait before the next try when the refusal does not say it (`retry_after`), in seconds. */
const retryAfterSeconds = 2;

/** Writes a refusal or failure as a problem of RFC 9457; what somebody sent as an id may have been a credential. */
export function problemAnswer(error: WireError, requestId: string): Answer {
  const { retry_after: _, ...extra } = error.extra;
  const problem: Problem = {
    ...extra,
    type: 'about:blank',
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    message: error.message,
    request_id: requestId,
  };
  return {
    status: error.status,
    headers: { 'Content-Type': 'application/problem+json', ...headersOf(error) },
    body: withoutCredentials(JSON.stringify(problem)),
  };
}

function headersOf(error: WireError): Record<string, string> {
  if (error instanceof ChallengeError) return { 'WWW-Authenticate': error.challenge };
  const { status, extra } = error;
  return status === 503 || status === 429 ? { 'Retry-After': String(extra.retry_after ?? retryAfterSeconds) } : {};
}

/** The code that belongs to a status when nothing more is known. */
export function codeOf(status: number): ErrorCode {
  return codes[status] ?? (status < 500 ? 'BAD_REQUEST' : 'INTERNAL_ERROR');
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  421: 'MISDIRECTED_REQUEST',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
  504: 'TIMEOUT',
};
