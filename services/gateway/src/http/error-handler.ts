import type { WireError } from '@mneme/contracts';
import { isLogged, type Logger } from '@mneme/service-kit';
import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';
import { type Answer, jsonAnswer, send } from './answers.ts';
import { CallerGoneError, toWireError } from './failure.ts';
import { InvalidRequestError } from './input/validation.ts';
import { problemAnswer } from './problem.ts';
import { requestIdOf } from './request.ts';

/** The answer to anything thrown. What is no fault of the caller is logged here, unless the service did that. */
export function answerTo(error: unknown, requestId: string, logger: Logger): Answer {
  if (error instanceof InvalidRequestError) return jsonAnswer({ detail: error.detail }, {}, 422);
  const wireError = toWireError(error);
  if (wireError.status === 422) return jsonAnswer({ detail: detailOf(wireError) }, {}, 422);
  if (wireError.status >= 500 && !isLogged(wireError)) log(wireError, requestId, logger);
  return problemAnswer(wireError, requestId);
}

/** Of something out of reach, or too slow, one line says all: a stack would only show where it was noticed. */
function log(error: WireError, requestId: string, logger: Logger): void {
  const { status, code, message } = error;
  const isExpected = status === 503 || status === 504;
  if (isExpected) logger.warn({ requestId, status, code, reason: reasonOf(error) }, message);
  else logger.error({ err: error, requestId, status }, message);
}

function reasonOf({ cause }: WireError): string | undefined {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}

/** A service that is stricter than the gateway says where in its request the fault is. */
function detailOf(error: WireError) {
  const issues = (error.extra.issues ?? [{ path: [], message: error.message }]) as {
    path: string[];
    message: string;
  }[];
  return issues.map(({ path, message }) => ({ loc: ['body', ...path], msg: message, type: 'value_error' }));
}

/** Answers what no route has caught. */
export function handleErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof CallerGoneError || response.destroyed) return;
    send(response, answerTo(error, requestIdOf(response), logger));
  };
}
