import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { problemSchema, validationProblemSchema } from './http/errors.ts';
import { maxBodyValues } from './http/fields.ts';
import { isRepeatable, type Route, scopeOf } from './http/route.ts';

export function jsonOf(schema: z.ZodType, example: unknown) {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

/** A header that only some responses have. The document describes it once. */
function header(id: string, description: string, example?: string) {
  const about = { description, ...(example !== undefined && { example }) };
  return z
    .string()
    .optional()
    .meta({ ...about, header: { id } });
}

const headers = {
  requestId: z.string().meta({ header: { id: 'X-Request-Id' } }),
  position: header('X-Event-Position', 'Position of the event that the request appended, if any', 'MEMORY:42'),
  asOf: header(
    'X-As-Of-Position',
    'In a response about all agents of the space, while an event of one of them could not be applied: all are complete up to this position, and later changes may be missing',
    'MEMORY:41',
  ),
  replayed: z
    .literal('true')
    .optional()
    .meta({ description: 'The first response, returned again', header: { id: 'Idempotency-Replayed' } }),
  ignored: header(
    'Mneme-Ignored-Fields',
    'Parameters of the query string and fields of the body that had no effect, percent-encoded; 20 at most',
    'items.0.tool_calls, colour',
  ),
  location: header('Location', 'Path at which to follow what the request has started'),
  file: header('Content-Disposition', 'The name of the file'),
  policy: header('RateLimit-Policy', 'In every response to a key, also in errors', '"key";q=1000;w=60'),
  limit: header('RateLimit', 'In every response to a key, also in errors', '"key";r=0;t=17'),
  retryAfter: z.string().meta({ description: 'Seconds', header: { id: 'Retry-After' } }),
};
const ofEvery = { 'X-Request-Id': headers.requestId };
const ofKeys = { 'RateLimit-Policy': headers.policy, RateLimit: headers.limit };

export function describeSuccess(route: Route, example: unknown): ZodOpenApiResponsesObject {
  const ofRoute = z.object({
    ...ofEvery,
    ...(route.isWrite && { 'X-Event-Position': headers.position }),
    ...(route.isOfSpace && { 'X-As-Of-Position': headers.asOf }),
    ...(isRepeatable(route) && { 'Idempotency-Replayed': headers.replayed }),
    ...(route.audience !== 'anyone' && { 'Mneme-Ignored-Fields': headers.ignored }),
    ...(route.successStatus === 202 && { Location: headers.location }),
    ...(route.isFile && { 'Content-Disposition': headers.file }),
    ...(route.audience === 'memory' && ofKeys),
  });
  const status = route.successStatus ?? 200;
  const description = STATUS_CODES[status] ?? 'OK';
  const content =
    route.replyType === undefined ? jsonOf(route.reply, example) : { [route.replyType]: { schema: route.reply } };
  return { [status]: { description, headers: ofRoute, content } };
}

/** Describes the errors of one route. */
export type ErrorDescriber = (route: Route) => ZodOpenApiResponsesObject;

/** Creates the describer for one document, which describes an error that several routes have once. */
export function errorDescriber(): ErrorDescriber {
  const shared = new Map<string, ZodOpenApiResponseObject>();
  const describeShared = (status: string, reason: string) => {
    const known = shared.get(`${status} ${reason}`);
    if (known) return known;
    const sameStatus = [...shared.keys()].filter((key) => key.startsWith(status)).length;
    const id = `${STATUS_CODES[status]?.replace(/\W/g, '')}${sameStatus === 0 ? '' : sameStatus + 1}`;
    const described = { id, ...describeError(status, reason) };
    shared.set(`${status} ${reason}`, described);
    return described;
  };
  return (route) => {
    const common = commonRefusals(route);
    const own = route.refusals ?? {};
    const statuses = Object.keys({ ...common, ...own }) as unknown as number[];
    return Object.fromEntries(
      statuses.map((status) => {
        const reasons = [own[status], common[status]].filter((reason) => reason !== undefined).join('. ');
        const isShared = own[status] === undefined;
        const describe = isShared ? describeShared : describeError;
        return [status, describe(String(status), reasons, route.errorReplies?.[status])];
      }),
    );
  };
}

/** @param reply in place of a problem */
function describeError(status: string, description: string, reply?: z.ZodType) {
  const plain = reply ?? (status === '422' ? validationProblemSchema : undefined);
  const content = plain
    ? { 'application/json': { schema: plain } }
    : { 'application/problem+json': { schema: problemSchema } };
  return {
    description: `${STATUS_CODES[status]}: ${description}`,
    content,
    headers: errorHeaders[status] ?? everyError,
  };
}

const everyError = z.object(ofEvery);
const errorHeaders: Readonly<Record<string, z.ZodObject>> = {
  401: z.object({ ...ofEvery, 'WWW-Authenticate': z.string() }),
  403: z.object({
    ...ofEvery,
    'WWW-Authenticate': z.string().optional().meta({ description: 'The missing scope, if the key lacks one' }),
  }),
  429: z.object({ ...ofEvery, 'Retry-After': headers.retryAfter, ...ofKeys }),
  503: z.object({ ...ofEvery, 'Retry-After': headers.retryAfter }),
};

/** The error responses that depend on the audience. */
function refusalsOfCallers(route: Route): Record<number, string> {
  const { audience } = route;
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
    403: `${scope === 'none' ? 'You' : noScope} have no access to the space; or a page of another origin sent no credentials`,
    429: `Rate limit of the key exceeded. ${tooMany}`,
  };
}

const unreadableBody = `the body is not JSON in UTF-8, or has more than ${maxBodyValues} values or 1000 levels`;

/** The error responses of what a body may be; deliveries of webhooks have others. */
function refusalsOfBodies(route: Route): Record<number, string> {
  if (!route.body || route.isIntake) return {};
  return {
    413: 'The body is larger than `BODY_LIMIT`, 5 MiB by default',
    415: 'The content type is not JSON in UTF-8, or the content encoding is unknown',
    422: `A value is missing or invalid, or ${unreadableBody}`,
  };
}

/** The error responses of routes that read or write the event log on behalf of somebody. */
function refusalsOfLog(route: Route): Record<number, string> {
  const { audience } = route;
  if (audience === 'anyone') return {};
  return {
    ...(isRepeatable(route) && {
      409: `The \`Idempotency-Key\` was used with another body or query${audience === 'memory' ? ', or the agent was erased since' : ''}`,
    }),
    ...((route.query || route.pathParameters) && { 422: 'A value is missing or invalid' }),
    500: 'Internal error',
    503: 'A dependency is unavailable; retry after `Retry-After` seconds',
    504: 'Timeout',
  };
}

/** The error responses that a route has in common with others. */
function commonRefusals(route: Route): Record<number, string> {
  const noPosition = route.isRead ? ', or an `X-Min-Event-Position` beyond the end of the log' : '';
  return {
    400: `Malformed path, query string, header or compressed body, no or two \`Host\` headers, or more than 100 query parameters${noPosition}`,
    408: 'The request took longer to arrive than `REQUEST_TIMEOUT_MS`, a minute by default, or its headers 15 s',
    ...(!route.isIntake && {
      421: 'No credentials, and `Host` is neither a loopback name nor in `ALLOWED_HOSTS` (only where the memory area needs no credentials)',
    }),
    431: 'The request line and headers are larger than 32 KiB',
    ...refusalsOfCallers(route),
    ...refusalsOfLog(route),
    ...refusalsOfBodies(route),
  };
}
