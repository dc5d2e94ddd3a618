import { type Demand, type Route, unknownFieldsOf, type ValidationError } from '@mneme/contracts';
import type { Request } from 'express';
import { z } from 'zod';
import { badRequest } from '../../errors.ts';
import { parseBody } from './body.ts';
import { findUnknownFields, isRefused, type UnknownField, unknownFieldFault } from './unknown-fields.ts';
import { describeIssues, InvalidRequestError, type Location, maxFaults } from './validation.ts';

/** The parts of a request, parsed with the schemas of its route. */
export interface ParsedInput {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Parameters of the query string and fields of the body that have no effect. */
  readonly ignored: readonly UnknownField[];
}

/**
 * Parses the parts of a request.
 * @param impliedAgent the agent of a request that names none, although its route has one in the query or the body
 * @throws WireError 400 when a value is missing that the route demands
 * @throws InvalidRequestError naming the faults of path, query and body together
 */
export type InputParser = (
  request: Request,
  bytes: Buffer | undefined,
  impliedAgent: string | undefined,
) => ParsedInput;

const noParameters = z.object({});

/** Creates the parser of path, query and body for the requests of one route. */
export function inputParser(route: Route): InputParser {
  const schemas = { path: route.pathParameters, query: route.query, body: route.body };
  const listBounds = listBoundsOf(route.body);
  return (request, bytes, impliedAgent) => {
    const parts = { path: request.params, query: request.query, body: route.body ? parseBody(bytes) : undefined };
    if (route.demands) assertDemands(route.demands, parts);
    refuse(findLongLists(listBounds, parts.body));
    const parsed = { path: undefined as unknown, query: undefined as unknown, body: undefined as unknown };
    const faults = (Object.keys(parts) as Location[]).flatMap((location) => {
      const given = withImpliedAgent(parts[location], schemas[location], impliedAgent);
      const result = schemas[location]?.safeParse(given);
      if (!result?.success) return result ? describeIssues(location, result.error.issues, given) : [];
      parsed[location] = result.data;
      return [];
    });
    const unknown = {
      query: findUnknownFields(route.query ?? noParameters, parts.query),
      body: findUnknownFields(route.body, parts.body),
    };
    const refused = {
      query: unknown.query.filter((field) => isRefused(field, 'refuse-misspelt')),
      body: unknown.body.filter((field) => isRefused(field, unknownFieldsOf(route))),
    };
    refuse([
      ...faults,
      ...refused.query.map((field) => unknownFieldFault('query', field)),
      ...refused.body.map((field) => unknownFieldFault('body', field)),
    ]);
    return { ...parsed, ignored: [...unknown.query, ...unknown.body] };
  };
}

function refuse(faults: readonly ValidationError[]): void {
  if (faults.length > 0) throw new InvalidRequestError(faults.slice(0, maxFaults));
}

/** Adds the implied agent to a part that may name an agent and does not. */
function withImpliedAgent(given: unknown, schema: z.ZodType | undefined, impliedAgent: string | undefined): unknown {
  const fields = schema instanceof z.ZodObject ? schema.shape : {};
  if (impliedAgent === undefined || !('agent_id' in fields)) return given;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { agent_id: one, agent_ids: several } = given as { readonly agent_id?: unknown; readonly agent_ids?: unknown };
  // A field that the schema does not have names no one: it is left out when the part is parsed.
  const namesSeveral = 'agent_ids' in fields && several !== undefined && several !== null;
  return one !== undefined || namesSeveral ? given : { ...given, agent_id: impliedAgent };
}

/**
 * Checks the values that a route demands, before any other validation.
 * @throws WireError 400 with the message of the first value that is absent, null or blank
 */
function assertDemands(demands: readonly Demand[], parts: { query: unknown; body: unknown }): void {
  for (const { in: location, name, message } of demands) {
    const { [location]: part = {} } = parts;
    // A part that is no object gets another fault.
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
    if (isBlank(Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined)) {
      throw badRequest(message);
    }
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** How many items a list in a body may have. */
interface ListBound {
  readonly name: string;
  readonly maxItems: number;
}

/**
 * Reads the bounds of the lists in a body from its schema. The length of a list is checked before its items, since a
 * million faulty items would each become a fault, and take minutes.
 * @throws Error when a list in a schema has no bound
 */
function listBoundsOf(schema: z.ZodType | undefined): readonly ListBound[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const { type, maxItems, anyOf = [] } = jsonSchemaOf(field as z.ZodType);
    const list = [{ type, maxItems }, ...anyOf].find((form) => form.type === 'array');
    if (!list) return [];
    if (list.maxItems === undefined) throw new Error(`The list ${name} in a body has no bound`);
    return [{ name, maxItems: list.maxItems }];
  });
}

interface JsonSchema {
  readonly type?: string | undefined;
  readonly maxItems?: number | undefined;
  readonly anyOf?: readonly JsonSchema[];
}

function jsonSchemaOf(field: z.ZodType): JsonSchema {
  return z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The lists of a body that are too long. */
function findLongLists(bounds: readonly ListBound[], body: unknown): ValidationError[] {
  if (typeof body !== 'object' || body === null) return [];
  return bounds.flatMap(({ name, maxItems }) => {
    const value = (body as Record<string, unknown>)[name];
    if (!Array.isArray(value) || value.length <= maxItems) return [];
    const msg = `List should have at most ${maxItems} items after validation, not ${value.length}`;
    return [{ loc: ['body', name], msg, type: 'too_long' }];
  });
}
