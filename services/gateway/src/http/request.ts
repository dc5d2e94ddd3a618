import { randomUUID } from 'node:crypto';
import { withoutCredentials } from '@mneme/service-kit';
import type { NextFunction, Request, Response } from 'express';

const sane = /^[\w.-]{1,128}$/;

/** Takes over a sane `X-Request-Id` or makes one, and sends it back. It goes into logs and events, so that it is no credential. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const requestId =
    given !== undefined && sane.test(given) && given === withoutCredentials(given) ? given : randomUUID();
  response.locals.requestId = requestId;
  response.setHeader('X-Request-Id', requestId);
  next();
}

export function requestIdOf(response: Response): string {
  return String(response.locals.requestId);
}
