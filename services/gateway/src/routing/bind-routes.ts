import { agentKey, isRepeatable, type Route } from '@mneme/contracts';
import type { Logger } from '@mneme/service-kit';
import type { Express, Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { type AdmissionDeps, admitCaller, whenCounted } from '../auth/admission.ts';
import {
  agentNamedIn,
  agentsNamedIn,
  assertAgent,
  boundAgentOf,
  type Caller,
  callerOf,
  type MemoryCaller,
  ownerOf,
} from '../auth/caller.ts';
import { CallerGoneError, orFail } from '../errors.ts';
import { type Answer, answerTo, jsonAnswer, send } from '../http/answers.ts';
import { type BodyDeps, readBody, takeBody } from '../http/input/body.ts';
import { inputParser, type ParsedInput } from '../http/input/parse-input.ts';
import { ignoredFieldsHeader } from '../http/input/unknown-fields.ts';
import type { PositionReader } from '../http/positions.ts';
import { markRoute, originOf, preferredWaitMs, type RunningRequests, requestIdOf } from '../http/request.ts';
import { type Attempt, type Idempotency, type Outcome, readIdempotencyKey } from '../idempotency/idempotency.ts';
import type { Area, Binding, RequestScope } from './http-endpoint.ts';

export interface BindingDeps extends BodyDeps {
  readonly logger: Logger;
  readonly idempotency: Idempotency;
  readonly admission: AdmissionDeps;
  readonly positions: PositionReader;
  readonly running: RunningRequests;
}

/** Lets Express answer the routes of an area with their endpoints. */
export function bindArea(app: Express, { bindings, stream }: Area, deps: BindingDeps): void {
  for (const binding of bindings) bindRoute(app, binding, { ...deps, stream });
}

function bindRoute(app: Express, binding: Binding, deps: BindingDeps & { readonly stream: string }): void {
  const { route } = binding;
  const parse = inputParser(route);
  const body = route.body ? readBody(deps, (response) => ownerOf(callerOf(response))) : [];
  const answer = async (request: Request, response: Response) => {
    const caller = callerOf(response);
    const bytes = takeBody(request);
    const input = parse(request, bytes, boundAgentOf(caller));
    // What was parsed, since the route goes by that.
    assertAgent(caller, input.path, input.query, input.body);
    const scope = { caller, bodyBytes: bytes, ...(await readScope({ request, response, route }, deps)) };
    const perform = (about: Attempt) => answerWith(binding, input, { ...scope, ...about }, deps.logger);
    return answerOnce({ request, bytes, input, caller, isRepeatable: isRepeatable(route) }, perform, deps);
  };
  app[route.method](
    expressPath(route.path),
    markRoute(route.path),
    admitCaller(route, deps.admission),
    ...body,
    async (request: Request, response: Response) => {
      send(response, await whenCounted(response, answer(request, response)));
    },
  );
}

interface ScopedRequest {
  readonly request: Request;
  readonly response: Response;
  readonly route: Route;
}

/**
 * What the headers and the connection say of a request.
 * @throws WireError 400 when `X-Min-Event-Position` is no position of the log
 */
export async function readScope(
  { request, response, route }: ScopedRequest,
  deps: Pick<BindingDeps, 'running' | 'positions'> & { readonly stream: string },
): Promise<Omit<RequestScope, 'caller' | 'bodyBytes' | keyof Attempt>> {
  const position = request.get('x-min-event-position');
  return {
    requestId: requestIdOf(response),
    minSequence: route.isRead ? await deps.positions.read(position, deps.stream) : undefined,
    waitMs: preferredWaitMs(request.get('prefer')),
    origin: originOf(request),
    signal: deps.running.begin(response),
  };
}

/** Turns `{name}` of OpenAPI into `:name` of Express. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

interface Received {
  readonly request: Request;
  readonly bytes: Buffer | undefined;
  readonly input: ParsedInput;
  readonly caller: Caller;
  readonly isRepeatable: boolean;
}

async function answerOnce(
  { request, bytes, input, caller, isRepeatable }: Received,
  perform: (about: Attempt) => Promise<Outcome>,
  deps: BindingDeps,
): Promise<Answer> {
  const key = isRepeatable ? readIdempotencyKey(request.get('idempotency-key')) : undefined;
  // An answer is kept with its agent, to be erased with it. One about several agents is not kept; such requests only read.
  if (key === undefined || agentsNamedIn(input.body).length > 0) {
    return (await perform({ commandId: uuidv7(), isRepeat: false, assertNotErased: async () => undefined })).answer;
  }
  const agentKey = agentKeyIn(caller, input.body, input.path, input.query);
  const query = queryOf(input);
  const about = { callerId: caller.id, owner: ownerOf(caller), agentKey, query };
  return deps.idempotency.run({ key, ...about, method: request.method, path: request.path, body: bytes }, perform);
}

/** What the route reads of the query, which can change what a request does; undefined when there is nothing. */
function queryOf({ query }: ParsedInput): string | undefined {
  const json = JSON.stringify(query ?? {});
  return json === '{}' ? undefined : json;
}

/** The key of the first agent of the caller's space that is named in parts of a request, or in an answer. */
function agentKeyIn(caller: Caller | MemoryCaller, ...parts: readonly unknown[]): string | undefined {
  if (!('space' in caller)) return undefined;
  const agentId = parts.map(agentNamedIn).find((named) => named !== undefined);
  return agentId === undefined ? undefined : agentKey({ space: caller.space, agentId });
}

async function answerWith(
  { route, endpoint, failure }: Binding,
  input: ParsedInput,
  scope: RequestScope<Caller>,
  logger: Logger,
): Promise<Outcome> {
  try {
    const act = () => endpoint(input as never, scope as never);
    const { body, position, asOf, location, isReplayable = true } = await (failure ? orFail(failure, act) : act());
    const headers = {
      ...(position && { 'X-Event-Position': position }),
      ...(asOf && { 'X-As-Of-Position': asOf }),
      ...(location && { Location: location }),
      ...ignoredFieldsHeader(input.ignored),
    };
    const answer = jsonAnswer(body, headers, route.successStatus);
    return { answer, isReplayable, agentKey: agentKeyIn(scope.caller, body) };
  } catch (error) {
    if (error instanceof CallerGoneError) throw error;
    return { answer: answerTo(error, scope.requestId, logger), isReplayable: true, agentKey: undefined };
  }
}
