import { once } from 'node:events';
import { inSpan, isTraceparent, markFailed, type SpanOptions } from '@mneme/telemetry';
import type { NextFunction, Request, Response } from 'express';
import { probePaths, requestIdOf, type Trusts } from './request.ts';

/**
 * Answers a request within a span, to which all belongs that follows from it. The trace of a caller is continued if the
 * caller is a trusted proxy; others could choose what is recorded, so their trace is only named in a new one.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  if (probePaths.has(request.path)) {
    next();
    return;
  }
  void inSpan(request.method, spanOf(request, response), async (span) => {
    const closed = once(response, 'close');
    response.once('finish', () => span.addEvent('replied'));
    next();
    await closed;
    const route = String(response.locals.route ?? 'unknown');
    span.updateName(`${request.method} ${route}`);
    span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
    if (response.statusCode >= 500) markFailed(span, String(response.statusCode));
  });
}

function spanOf(request: Request, response: Response): SpanOptions {
  const given = request.get('traceparent');
  const traceparent = given !== undefined && isTraceparent(given) ? given : undefined;
  const continues = traceparent !== undefined && isFromTrustedProxy(request);
  return {
    by: 'gateway',
    kind: 'SERVER',
    begins: true,
    parent: continues ? traceparent : null,
    link: continues ? undefined : traceparent,
    attributes: { 'http.request.method': request.method, 'mneme.request_id': requestIdOf(response) },
  };
}

function isFromTrustedProxy({ app, socket }: Request): boolean {
  const trusts: Trusts = app.get('trust proxy fn');
  return trusts(socket.remoteAddress, 0);
}
