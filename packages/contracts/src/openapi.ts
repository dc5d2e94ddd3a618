import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { problemSchema, validationProblemSchema } from './http/errors.ts';
import { type Route, scopeOf } from './http/route.ts';

/** Calls by the name that becomes their `operationId`. */
export type RouteTable = Readonly<Record<string, Route>>;

const introduction = `Long-term memory for AI agents.

Every write is an event; its answer carries \`X-Event-Position\`. A read that sends it back as \`X-Min-Event-Position\`
waits until it sees that write.

Every error but 422 is a problem (RFC 9457) with a stable \`code\`. A POST with an \`Idempotency-Key\` can be sent again
without being carried out again.

Memory belongs to a space. A user works in the space that \`X-Space-Id\` names, else in their personal one; an API key
works in the space of its project.`;

const securitySchemes = {
  user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user: a JSON Web Token whose `sub` is the user id.',
  },
  bearerKey: { type: 'http', scheme: 'bearer', description: 'A program: an API key, `sk-...`.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A program: an API key, `sk-...`.' },
} as const;

/** Without credentials last, for a memory area that is open. */
const securityFor = {
  anyone: [],
  user: [{ user: [] }],
  memory: [{ user: [] }, { bearerKey: [] }, { apiKey: [] }, {}],
};

/**
 * Makes the OpenAPI 3.1 document of all calls.
 * @param options.version of the interface
 */
export function createOpenApi(options: { routes: RouteTable; version: string }): oas31.OpenAPIObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [operationId, route] of Object.entries(options.routes)) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(operationId, route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Mneme', version: options.version, description: introduction },
    paths,
    components: { securitySchemes },
  }) as oas31.OpenAPIObject;
}

function describeOperation(operationId: string, route: Route): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    security: securityFor[audienceOf(route)],
    ...(route.description !== undefined && { description: route.description }),
    requestParams: {
      ...(route.pathParameters && { path: route.pathParameters as z.ZodObject }),
      ...(route.query && { query: route.query as z.ZodObject }),
      header: z.object(requestHeaders(route)),
    },
    ...(route.body && { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
    responses: { ...describeSuccess(route), ...describeErrors(route) },
  };
}

function audienceOf({ audience = 'memory' }: Route) {
  return audience;
}

function requestHeaders(route: Route): Record<string, z.ZodType> {
  return {
    ...(audienceOf(route) === 'memory' && {
      'X-Space-Id': z
        .string()
        .regex(/^[1-9]\d{0,14}$/)
        .optional()
        .meta({ description: "For a user: which of the user's spaces to work in, else the personal one" }),
    }),
    'X-Request-Id': z
      .string()
      .regex(/^[\w.-]{1,128}$/)
      .optional()
      .meta({ description: 'Names this request in answers, logs and events; made up when left out' }),
    ...ownHeaders(route),
    ...(isRepeatable(route) && {
      'Idempotency-Key': z
        .string()
        .regex(/^[\x21-\x7e]{1,255}$/)
        .optional()
        .meta({ description: 'The same key within 24 h gives the first answer again, and nothing is done twice' }),
    }),
    ...(route.isRead && {
      'X-Min-Event-Position': z
        .string()
        .optional()
        .meta({ description: 'Wait (5 s at most) until this event is seen', example: 'MEMORY:42' }),
    }),
  };
}

function ownHeaders({ headers = {} }: Route): Record<string, z.ZodType> {
  const optional = (description: string) => z.string().optional().meta({ description });
  return Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, optional(description)]));
}

/** Whether it takes an `Idempotency-Key`, which belongs to a caller. */
function isRepeatable(route: Route): boolean {
  return route.method === 'post' && audienceOf(route) !== 'anyone';
}

function describeSuccess(route: Route): ZodOpenApiResponsesObject {
  const headers = z.object({
    'X-Request-Id': z.string(),
    ...(route.isWrite && {
      'X-Event-Position': z
        .string()
        .optional()
        .meta({ description: 'The event that this call appended, if it did', example: 'MEMORY:42' }),
    }),
    ...(isRepeatable(route) && {
      'Idempotency-Replayed': z.literal('true').optional().meta({ description: 'This is the first answer again' }),
    }),
  });
  const status = route.successStatus ?? 200;
  const description = status === 201 ? 'Created' : 'Done';
  return {
    [status]: { description, headers, content: { [route.replyType ?? 'application/json']: { schema: route.reply } } },
  };
}

function describeErrors(route: Route): ZodOpenApiResponsesObject {
  const common = commonRefusals(route);
  const own = route.refusals ?? {};
  const statuses = Object.keys({ ...common, ...own }) as unknown as number[];
  return Object.fromEntries(
    statuses.map((status) => {
      const reasons = [own[status], common[status]].filter((reason) => reason !== undefined);
      return [status, describeError(String(status), reasons.join('. '))];
    }),
  );
}

function describeError(status: string, description: string) {
  const content =
    status === '422'
      ? { 'application/json': { schema: validationProblemSchema } }
      : { 'application/problem+json': { schema: problemSchema } };
  const headers = errorHeaders[status];
  return { description: `${STATUS_CODES[status]}: ${description}`, content, ...(headers && { headers }) };
}

const retryAfter = { 'Retry-After': z.string().meta({ description: 'Seconds' }) };
const errorHeaders: Readonly<Record<string, z.ZodObject>> = {
  401: z.object({ 'WWW-Authenticate': z.string() }),
  403: z.object({
    'WWW-Authenticate': z.string().optional().meta({ description: 'Where a key lacks a scope: which one' }),
  }),
  429: z.object({
    ...retryAfter,
    'RateLimit-Policy': z.string().meta({ example: '"key";q=1000;w=60' }),
    RateLimit: z.string().meta({ example: '"key";r=0;t=17' }),
  }),
  503: z.object(retryAfter),
};

/** What callers of an audience may be refused with. */
function commonRefusalsOf(route: Route): Record<number, string> {
  const audience = audienceOf(route);
  if (audience === 'anyone') return {};
  const tooMany = 'Too many failed credentials came from this address';
  if (audience === 'user') {
    return { 401: 'No valid token of a user', 403: 'An API key may not do this', 429: tooMany };
  }
  return {
    401: 'No valid credential',
    403: `The key lacks the scope \`${scopeOf(route)}\` or is bound to another agent, or the space is not yours`,
    421: 'No credential, and the `Host` is neither a loopback name nor in `ALLOWED_HOSTS` (where memory needs no credential)',
    429: `The key is over its rate limit. ${tooMany}`,
  };
}

/** What any call may answer, by what it takes. */
function commonRefusals(route: Route): Record<number, string> {
  if (audienceOf(route) === 'anyone' || !(route.isRead || route.isWrite)) return {};
  return {
    400: 'A malformed path or header, two `Host` headers, more than 100 parameters in the query string, or an `X-Min-Event-Position` beyond the log',
    ...commonRefusalsOf(route),
    ...(route.body && {
      413: 'The body is larger than 5 MiB',
      415: 'The body is not JSON in UTF-8, or its encoding is unknown',
    }),
    ...(isRepeatable(route) && { 409: 'The `Idempotency-Key` was used with another body' }),
    ...((route.body || route.query || route.pathParameters) && { 422: 'A value is missing or wrong' }),
    431: 'The headers are larger than 32 KiB',
    500: 'A fault of ours',
    503: 'Something that is needed is out of reach; try again after `Retry-After` seconds',
    504: 'It took too long',
  };
}
