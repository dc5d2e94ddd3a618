import { z } from 'zod';
import {
  createDocument,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
} from 'zod-openapi';
import { userIdPattern } from './access/schemas.ts';
import { isRepeatable, type Route } from './http/route.ts';
import { type Example, memoryExamples } from './memory/examples.ts';
import { describeSuccess, type ErrorDescriber, errorDescriber, jsonOf } from './openapi-responses.ts';

/** Routes by their `operationId`. */
type RouteTable = Readonly<Record<string, Route>>;

const introduction = `Long-term memory for AI agents.

Every write is stored as an event, and its response has the header \`X-Event-Position\`. Send that value as
\`X-Min-Event-Position\` with a read to make the read wait until it sees the write.

Every error except 422 is a problem (RFC 9457) with a stable \`code\`. A POST request with an \`Idempotency-Key\` can be
repeated safely: it takes effect only once. So can a PATCH request of the memory area.

A body with an unknown field is refused with 422 in the memory area. Batches are an exception: only a field that looks like a
misspelt one is refused there, and a field of the batch that an item has with another value. Other unknown fields of batches, and
all of other areas, have no effect; the response names them in the header \`Mneme-Ignored-Fields\`.
An unknown parameter of the query string is refused with 422 if it looks like a misspelt one, and otherwise named there.

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
  const describeErrors = errorDescriber();
  for (const [operationId, route] of Object.entries(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(operationId, route, describeErrors) };
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

function describeOperation(
  operationId: string,
  route: Route,
  describeErrors: ErrorDescriber,
): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: [route.tag],
    summary: route.summary,
    security: securityFor[route.audience],
    ...(route.description !== undefined && { description: route.description }),
    requestParams: {
      ...(route.pathParameters && { path: route.pathParameters as z.ZodObject }),
      ...(route.query && { query: route.query as z.ZodObject }),
      header: z.object(requestHeaders(route)),
    },
    ...(route.body && {
      requestBody: {
        required: !(route.body instanceof z.ZodOptional),
        content: jsonOf(route.body, examples[operationId]?.body),
      },
    }),
    responses: { ...describeSuccess(route, examples[operationId]?.reply), ...describeErrors(route) },
  };
}

function requestHeaders(route: Route): Record<string, z.ZodType> {
  return {
    ...(route.audience === 'memory' && {
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
