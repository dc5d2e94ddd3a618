import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { userIdPattern } from './access/schemas.ts';
import { problemSchema, validationProblemSchema } from './http/errors.ts';
import { maxBodyValues } from './http/fields.ts';
import { isRepeatable, type Route, scopeOf } from './http/route.ts';
import { type Example, memoryExamples } from './memory/examples.ts';

/** Routes by their `operationId`. */
type RouteTable = Readonly<Record<string, Route>>;

const introduction = `Long-term memory for AI agents.

Every write is stored as an event, and its response has the header \`X-Event-Position\`. Send that value as
\`X-Min-Event-Position\` with a read to make the read wait until it sees the write.

Every error except 422 is a problem (RFC 9457) with a stable \`code\`. A POST request with an \`Idempotency-Key\` can be
repeated safely: it takes effect only once. So can a PATCH request of the memory area.

A body with an unknown field is refused with 422 in the memory area. In batches, unless they look like a misspelt field, and
in all other areas unknown fields have no effect, and the response names them in the header \`Mneme-Ignored-Fields\`.

Memory belongs to a space. A user works in the space given in \`X-Space-Id\`, by default in their personal space. An API
key works in the space of its project.`;

const securitySchemes = {
  user: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A user: a JSON Web Token with the user id in `sub`.',
  },
  bearerKey: { type: 'http', scheme: 'bearer', description: 'A program: an API key, `sk-...`.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A program: an API key, `sk-...`.' },
} as const;

/** By `operationId`. */
const examples: Readonly<Record<string, Example>> = memoryExamples;

/** The last entry, without credentials, is for a memory area that is open. */
const securityFor = {
  anyone: [],
  user: [{ user: [] }],
  operator: [{ user: [] }],
  memory: [{ user: [] }, { bearerKey: [] }, { apiKey: [] }, {}],
};

/** Of the API. It changes when a client has to, and not with every release. */
const apiVersion = '1.0.0';

/** Generates the OpenAPI 3.1 document of routes. */
export function createOpenApi(routes: RouteTable): oas31.OpenAPIObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(operationId, route) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Mneme', version: apiVersion, description: introduction },
    servers: [{ url: '/', description: 'The server that this document comes from' }],
    paths,
    components: { securitySchemes },
  };
  return openReferences(createDocument(document, { override: openReplies }) as oas31.OpenAPIObject);
}

/** Replies may get fields later, which clients that check them must not refuse. */
function openReplies({ io, jsonSchema }: Parameters<ZodOpenApiOverride>[0]): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** Beside a reference, which is not overridden, it would refuse the fields that the reference names, too. */
function openReferences(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const text = JSON.stringify(document, (_key, value) => {
    if (value?.$ref === undefined) return value;
    const { additionalProperties: _, ...reference } = value;
    return reference;
  });
  return JSON.parse(text);
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
    ...(route.body && { requestBody: { required: true, content: jsonOf(route.body, examples[operationId]?.body) } }),
    responses: { ...describeSuccess(route, examples[operationId]?.reply), ...describeErrors(route) },
  };
}

function jsonOf(schema: z.ZodType, example: unknown) {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

function audienceOf({ audience = 'memory' }: Route) {
  return audience;
}

function requestHeaders(route: Route): Record<string, z.ZodType> {
  return {
    ...(audienceOf(route) === 'memory' && {
      'X-Space-Id': z
        .string()
        .regex(userIdPattern)
        .optional()
        .meta({ description: "For users: the id of the user's space to work in. Default: the personal space." }),
    }),
    'X-Request-Id': z
      .string()
      .regex(/^[\w.-]{1,128}$/)
      .optional()
      .meta({ description: 'Id of this request in responses, logs and events; generated if omitted' }),
    ...ownHeaders(route),
    ...(isRepeatable(route) && {
      'Idempotency-Key': z
        .string()
        .regex(/^[\x21-\x7e]{1,255}$/)
        .optional()
        .meta({
          description:
            'A repeated request with the same key within 24 h returns the first response and is not executed again. A ' +
            'response with the status 422, 429 or 5xx, or with `Retry-After`, is not kept: a repeated request is then ' +
            'executed again, but does not take effect twice.',
        }),
    }),
    ...(route.isRead && {
      'X-Min-Event-Position': z.string().optional().meta({
        description: 'Wait, for at most 5 s, until the read model has applied this event',
        example: 'MEMORY:42',
      }),
    }),
  };
}

function ownHeaders({ headers = {} }: Route): Record<string, z.ZodType> {
  const optional = (description: string) => z.string().optional().meta({ description });
  return Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, optional(description)]));
}

function describeSuccess(route: Route, example: unknown): ZodOpenApiResponsesObject {
  const headers = z.object({
    'X-Request-Id': z.string(),
    ...(route.isWrite && {
      'X-Event-Position': z
        .string()
        .optional()
        .meta({ description: 'Position of the event that the request appended, if any', example: 'MEMORY:42' }),
    }),
    ...(route.isOfSpace && {
      'X-As-Of-Position': z.string().optional().meta({
        description:
          'In a response about all agents of the space, while an event of one of them could not be applied: all are complete up to this position, and later changes may be missing',
        example: 'MEMORY:41',
      }),
    }),
    ...(isRepeatable(route) && {
      'Idempotency-Replayed': z.literal('true').optional().meta({ description: 'The first response, returned again' }),
    }),
  });
  const status = route.successStatus ?? 200;
  const description = STATUS_CODES[status] ?? 'OK';
  const content =
    route.replyType === undefined ? jsonOf(route.reply, example) : { [route.replyType]: { schema: route.reply } };
  return { [status]: { description, headers, content } };
}

function describeErrors(route: Route): ZodOpenApiResponsesObject {
  const common = commonRefusals(route);
  const own = route.refusals ?? {};
  const statuses = Object.keys({ ...common, ...own }) as unknown as number[];
  return Object.fromEntries(
    statuses.map((status) => {
      const reasons = [own[status], common[status]].filter((reason) => reason !== undefined);
      return [status, describeError(String(status), reasons.join('. '), route.errorReplies?.[status])];
    }),
  );
}

/** @param reply in place of a problem */
function describeError(status: string, description: string, reply?: z.ZodType) {
  const plain = reply ?? (status === '422' ? validationProblemSchema : undefined);
  const content = plain
    ? { 'application/json': { schema: plain } }
    : { 'application/problem+json': { schema: problemSchema } };
  const headers = errorHeaders[status];
  return { description: `${STATUS_CODES[status]}: ${description}`, content, ...(headers && { headers }) };
}

const retryAfter = { 'Retry-After': z.string().meta({ description: 'Seconds' }) };
const ofKeys = 'Only when the rate limit of a key is exceeded';
const errorHeaders: Readonly<Record<string, z.ZodObject>> = {
  401: z.object({ 'WWW-Authenticate': z.string() }),
  403: z.object({
    'WWW-Authenticate': z.string().optional().meta({ description: 'The missing scope, if the key lacks one' }),
  }),
  429: z.object({
    ...retryAfter,
    'RateLimit-Policy': z.string().optional().meta({ description: ofKeys, example: '"key";q=1000;w=60' }),
    RateLimit: z.string().optional().meta({ description: ofKeys, example: '"key";r=0;t=17' }),
  }),
  503: z.object(retryAfter),
};

/** The error responses that depend on the audience. */
function commonRefusalsOf(route: Route): Record<number, string> {
  const audience = audienceOf(route);
  if (audience === 'anyone') return {};
  const tooMany = 'Too many requests with invalid credentials from this address';
  if (audience === 'user') {
    return { 401: 'No valid user token', 403: 'Not allowed with an API key', 429: tooMany };
  }
  if (audience === 'operator') {
    return { 401: 'No valid user token', 403: "You do not have the operator's role", 429: tooMany };
  }
  const scope = scopeOf(route);
  const noScope = `The key lacks the scope \`${scope}\` or is bound to another agent, or you`;
  return {
    401: 'No valid credentials',
    403: `${scope === 'none' ? 'You' : noScope} have no access to the space`,
    421: 'No credentials, and `Host` is neither a loopback name nor in `ALLOWED_HOSTS` (only where the memory area needs no credentials)',
    429: `Rate limit of the key exceeded. ${tooMany}`,
  };
}

const unreadableBody = `the body is not JSON in UTF-8, or has more than ${maxBodyValues} values or 1000 levels`;

/** The error responses of every route, by its input. */
function commonRefusals(route: Route): Record<number, string> {
  const isOfLog = route.isRead || route.isWrite || audienceOf(route) === 'operator';
  if (audienceOf(route) === 'anyone' || !isOfLog) return {};
  const isOfMemory = audienceOf(route) === 'memory';
  return {
    400: 'Malformed path or header, two `Host` headers, more than 100 query parameters, or an `X-Min-Event-Position` beyond the end of the log',
    ...commonRefusalsOf(route),
    ...(route.body && {
      413: 'The body is larger than `BODY_LIMIT`, 5 MiB by default',
      415: 'The content type is not JSON in UTF-8, or the content encoding is unknown',
    }),
    ...(isRepeatable(route) && {
      409: `The \`Idempotency-Key\` was used with another body${isOfMemory ? ', or the agent was erased since' : ''}`,
    }),
    ...((route.body || route.query || route.pathParameters) && {
      422: `A value is missing or invalid${route.body ? `, or ${unreadableBody}` : ''}`,
    }),
    431: 'The headers are larger than 32 KiB',
    500: 'Internal error',
    503: 'A dependency is unavailable; retry after `Retry-After` seconds',
    504: 'Timeout',
  };
}
