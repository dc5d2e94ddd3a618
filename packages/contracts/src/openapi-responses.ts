import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { problemSchema, validationProblemSchema } from './http/errors.ts';
import { maxBodyValues } from './http/fields.ts';
import { audienceOf, isRepeatable, type Route, scopeOf } from './http/route.ts';

export function jsonOf(schema: z.ZodType, example: unknown) {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

export function describeSuccess(route: Route, example: unknown): ZodOpenApiResponsesObject {
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

export function describeErrors(route: Route): ZodOpenApiResponsesObject {
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
