import type { Route, ValidationError } from '@mneme/contracts';
import type { Request } from 'express';
import { z } from 'zod';
import { parseBody } from './body.ts';
import { assertDemands } from './demands.ts';
import { findLongLists, listBoundsOf } from './list-bounds.ts';
import { describeIssues, InvalidRequestError, type Location, maxFaults } from './validation.ts';

/** The parts of a request by the schemas of its route. */
export interface ParsedInput {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Reads the parts of a request.
 * @param impliedAgent the agent that is meant where the request may leave its agent out, and does
 * @throws WireError 400 when a value is missing that the route demands
 * @throws InvalidRequestError naming the faults of path, query and body together
 */
export type InputParser = (
  request: Request,
  bytes: Buffer | undefined,
  impliedAgent: string | undefined,
) => ParsedInput;

/** Makes what checks path, query and body of the requests of one route. */
export function inputParser(route: Route): InputParser {
  const schemas = { path: route.pathParameters, query: route.query, body: route.body };
  const listBounds = listBoundsOf(route.body);
  return (request, bytes, impliedAgent) => {
    const parts = { path: request.params, query: request.query, body: route.body ? parseBody(bytes) : undefined };
    if (route.demands) assertDemands(route.demands, parts);
    refuse(findLongLists(listBounds, parts.body));
    const parsed = { path: undefined as unknown, query: undefined as unknown, body: undefined as unknown };
    const faults = (Object.keys(parts) as Location[]).flatMap((location) => {
      const result = schemas[location]?.safeParse(parts[location]);
      const given = parts[location];
      if (!result?.success) return result ? describeIssues(location, result.error.issues, given) : [];
      parsed[location] = withImpliedAgent({ data: result.data, given, schema: schemas[location] }, impliedAgent);
      return [];
    });
    refuse(faults);
    return parsed;
  };
}

function refuse(faults: readonly ValidationError[]): void {
  if (faults.length > 0) throw new InvalidRequestError(faults.slice(0, maxFaults));
}

/** What was accepted without an agent, by a schema that knows one, may leave it out. */
function withImpliedAgent(
  { data, given, schema }: { data: unknown; given: unknown; schema: z.ZodType | undefined },
  impliedAgent: string | undefined,
): unknown {
  const mayNameAgent = schema instanceof z.ZodObject && 'agent_id' in schema.shape;
  if (impliedAgent === undefined || !mayNameAgent) return data;
  const isNamed = (given as { agent_id?: unknown }).agent_id !== undefined;
  return isNamed ? data : { ...(data as object), agent_id: impliedAgent };
}
