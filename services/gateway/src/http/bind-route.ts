import { agentKey, type Route, type RouteInput } from '@mneme/contracts';
import type { Logger } from '@mneme/service-kit';
import type { Express, Request, Response } from 'express';
import type { Idempotency, Outcome } from '../idempotency/idempotency.ts';
import { readIdempotencyKey } from '../idempotency/key.ts';
import { type Caller, callerOf, identifyCaller } from '../identity/caller.ts';
import { type Answer, jsonAnswer, send } from './answer.ts';
import { bodyBytes, parseBody, readBody } from './body.ts';
import { answerTo } from './error-handler.ts';
import { CallerGoneError } from './failure.ts';
import { markRoute } from './observe.ts';
import { parseMinPosition } from './positions.ts';
import { requestIdOf } from './request-id.ts';
import type { RunningRequests } from './running-requests.ts';
import type { Handler, RequestScope } from './scope.ts';
import { describeIssues, InvalidRequestError, type Location } from './validation.ts';

export interface BindingDeps {
  readonly logger: Logger;
  readonly idempotency: Idempotency;
  readonly memoryAuth: 'optional' | 'required';
  readonly bodyLimitBytes: number;
  readonly running: RunningRequests;
  readonly newId: () => string;
}

/** Lets Express answer one route by its handler. */
export function bindRoute<R extends Route>(app: Express, route: R, handler: Handler<R>, deps: BindingDeps): void {
  const path = expressPath(route.path);
  const body = route.body ? readBody(deps.bodyLimitBytes) : [];
  app[route.method](
    path,
    markRoute(route.path),
    identifyCaller(deps.memoryAuth),
    ...body,
    async (request: Request, response: Response) => {
      const caller = callerOf(response);
      const bytes = bodyBytes(request);
      const input = parseInput(route, request, bytes) as RouteInput<R>;
      const scope = {
        caller,
        requestId: requestIdOf(response),
        minSequence: route.isRead ? parseMinPosition(request.get('x-min-event-position')) : undefined,
        signal: deps.running.begin(response),
      };
      const perform = (commandId: string) => answerWith(handler, input, { ...scope, commandId }, deps.logger);
      send(response, await once({ request, bytes, input, caller }, perform, deps));
    },
  );
}

/** OpenAPI's `{name}` is `:name` for Express. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

interface Received {
  readonly request: Request;
  readonly bytes: Buffer | undefined;
  readonly input: { readonly path: unknown; readonly body: unknown };
  readonly caller: Caller;
}

async function once(
  { request, bytes, input, caller }: Received,
  perform: (commandId: string) => Promise<Outcome>,
  deps: BindingDeps,
): Promise<Answer> {
  const key = request.method === 'POST' ? readIdempotencyKey(request.get('idempotency-key')) : undefined;
  if (key === undefined) return (await perform(deps.newId())).answer;
  const about = { callerId: caller.id, agentKey: agentNamedIn(caller, input.body, input.path) };
  return deps.idempotency.run({ key, ...about, method: 'POST', path: request.path, body: bytes }, perform);
}

/** The key of the first agent that is named in parts of a request, or in an answer. */
function agentNamedIn({ space }: Caller, ...parts: readonly unknown[]): string | undefined {
  for (const part of parts) {
    const named = part !== null && typeof part === 'object' && 'agent_id' in part ? part.agent_id : undefined;
    if (typeof named === 'string') return agentKey({ space, agentId: named });
  }
  return undefined;
}

async function answerWith<R extends Route>(
  handler: Handler<R>,
  input: RouteInput<R>,
  scope: RequestScope,
  logger: Logger,
): Promise<Outcome> {
  try {
    const { body, position } = await handler(input, scope);
    const answer = jsonAnswer(body, position ? { 'X-Event-Position': position } : {});
    return { answer, agentKey: agentNamedIn(scope.caller, body) };
  } catch (error) {
    if (error instanceof CallerGoneError) throw error;
    return { answer: answerTo(error, scope.requestId, logger), agentKey: undefined };
  }
}

/** @throws InvalidRequestError naming every fault of path, query and body together. */
function parseInput(route: Route, request: Request, bytes: Buffer | undefined) {
  const parts = { path: request.params, query: request.query, body: route.body ? parseBody(bytes) : undefined };
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
