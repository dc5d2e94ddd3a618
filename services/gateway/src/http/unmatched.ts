import { WireError } from '@mneme/contracts';
import type { Express, Request, Response } from 'express';
import { expressPath } from './bind-routes.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** Answers other methods of known paths with 405, and everything else with 404. Comes after all routes. */
export function refuseUnmatched(app: Express, endpoints: readonly Endpoint[]): void {
  for (const [path, methods] of methodsByPath(endpoints)) {
    const allow = [...methods].join(', ');
    app.all(path, (request: Request, response: Response) => {
      response.setHeader('Allow', allow);
      if (request.method === 'OPTIONS') {
        response.status(204).end();
        return;
      }
      const message = `${request.method} is not possible here; use ${allow}`;
      throw new WireError({ status: 405, code: 'METHOD_NOT_ALLOWED', message });
    });
  }
  app.use(() => {
    throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'There is nothing at this path' });
  });
}

/** Two routes may name the parameter in one place differently. */
function methodsByPath(endpoints: readonly Endpoint[]): Map<string, Set<string>> {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path } of endpoints) {
    const nameless = expressPath(path.replace(/\{\w+\}/g, '{any}')).replace(/:any/g, () => ':any');
    const methods = byPath.get(nameless) ?? new Set<string>();
    methods.add(method.toUpperCase());
    if (method === 'get') methods.add('HEAD');
    methods.add('OPTIONS');
    byPath.set(nameless, methods);
  }
  return byPath;
}
