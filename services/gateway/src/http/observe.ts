import type { Logger, Metrics } from '@mneme/service-kit';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { requestIdOf } from './request.ts';

/** Measures each request by the path of its route, never by the caller's own path, which would be a new series each. */
export function observe(logger: Logger, metrics: Metrics): RequestHandler {
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'How long a request took, from its headers to the last byte of the answer',
    labels: ['method', 'route', 'status'],
  });
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      const route = routeOf(response);
      durations.observe({ method: request.method, route, status }, durationMs / 1_000);
      logger.debug({ requestId: requestIdOf(response), method: request.method, route, status, durationMs }, 'Request');
    });
    next();
  };
}

/** Says which route answers, for the measurements. */
export function markRoute(path: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = path;
    next();
  };
}

function routeOf(response: Response): string {
  return String(response.locals.route ?? 'unknown');
}
