import type { Route } from '@mneme/contracts';
import type { Request } from 'express';
import { parseBody } from './body.ts';
import { assertDemands } from './demands.ts';
import { describeIssues, InvalidRequestError, type Location } from './validation.ts';

/** The parts of a request by the schemas of its route. */
export interface ParsedInput {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Checks path, query and body.
 * @throws WireError 400 when a value is missing that the route demands
 * @throws InvalidRequestError naming every fault of path, query and body together
 */
export function parseInput(route: Route, request: Request, bytes: Buffer | undefined): ParsedInput {
  const parts = { path: request.params, query: request.query, body: route.body ? parseBody(bytes) : undefined };
  if (route.demands) assertDemands(route.demands, parts);
  const schemas = { path: route.pathParameters, query: route.query, body: route.body };
  const parsed = { path: undefined as unknown, query: undefined as unknown, body: undefined as unknown };
  const faults = (Object.keys(parts) as Location[]).flatMap((location) => {
    const result = schemas[location]?.safeParse(parts[location]);
    if (result?.success) parsed[location] = result.data;
    return result?.error ? describeIssues(location, result.error.issues, parts[location]) : [];
  });
  if (faults.length > 0) throw new InvalidRequestError(faults);
  return parsed;
}
