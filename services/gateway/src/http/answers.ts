import { STATUS_CODES } from 'node:http';
import type { Problem, WireError } from '@mneme/contracts';
import { isLogged, type Logger, messageOf, withoutCredentials } from '@mneme/service-kit';
import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';
import { CallerGoneError, ChallengeError, toWireError } from '../errors.ts';
import { InvalidRequestError } from './input/validation.ts';
import { hasRest } from './lingering-close.ts';
import { requestIdOf } from './request.ts';

/** A response as a value, so that it can be stored and repeated. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** A body that is already JSON text, so that its numbers and names stay as they are written. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function jsonAnswer(body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): Answer {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return {
    status,
    headers: { ...type, ...headers },
    body: body instanceof JsonText ? body.text : JSON.stringify(body),
  };
}

/** Sends an answer, unless the caller has gone or already has one. */
export function send(response: Response, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(answer.body);
  // Too much may be left to wait for, and then the connection ends.
  if (hasRest(response.req)) response.setHeader('Connection', 'close');
  response.writeHead(answer.status, { ...answer.headers, 'Content-Length': body.length });
  response.end(body);
}

/** Answers errors that no route has caught. */
export function handleErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof CallerGoneError || response.destroyed) return;
    send(response, answerTo(error, requestIdOf(response), logger));
  };
}

/** The answer to any error. An error that is not the caller's fault is logged here, unless its service has logged it. */
export function answerTo(error: unknown, requestId: string, logger: Logger): Answer {
  if (error instanceof InvalidRequestError) return jsonAnswer({ detail: error.detail }, {}, 422);
  const wireError = toWireError(error);
  if (wireError.status === 422) return jsonAnswer({ detail: detailOf(wireError) }, {}, 422);
  if (wireError.status >= 500 && !isLogged(wireError)) log(wireError, requestId, logger);
  return problemAnswer(wireError, requestId);
}

/** Outages and timeouts are logged in one line: their stack would only show where they were noticed. */
function log(error: WireError, requestId: string, logger: Logger): void {
  const { status, code, message, cause } = error;
  const isExpected = status === 503 || status === 504;
  const reason = cause instanceof Error ? `${cause.name}: ${messageOf(cause)}` : undefined;
  if (isExpected) logger.warn({ requestId, status, code, reason }, message);
  else logger.error({ err: error, requestId, status }, message);
}

/** A service that validates more strictly than the gateway says where in its request the fault is. */
function detailOf(error: WireError) {
  const issues = (error.extra.issues ?? [{ path: [], message: error.message }]) as {
    path: string[];
    message: string;
  }[];
  return issues.map(({ path, message }) => ({ loc: ['body', ...path], msg: message, type: 'value_error' }));
}

/** The default of `Retry-After`, in seconds; an error may have another one in `retry_after`. */
const retryAfterSeconds = 2;

/** A refusal or failure as a problem of RFC 9457, without credentials that a caller sent in place of an id. */
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
  const retryAfter = extra.retry_after ?? (status === 503 || status === 429 ? retryAfterSeconds : undefined);
  return retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
}
