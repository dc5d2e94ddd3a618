import { Mneme } from '@mneme/client';
import { answerMcp } from '@mneme/mcp';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { identifyCaller } from '../auth/admission.ts';
import { assertAgent, boundAgentOf, callerOf, mayWrite, ownerOf } from '../auth/caller.ts';
import { readCredential } from '../auth/credential.ts';
import { badRequest, forbidden, timedOut } from '../errors.ts';
import { send } from '../http/answers.ts';
import { type BodyDeps, parseBody, readBody, takeBody } from '../http/input/body.ts';
import { InvalidRequestError } from '../http/input/validation.ts';
import { isAllowedOrigin, isOfOtherOrigin } from '../http/origins.ts';
import { markRoute, requestIdOf } from '../http/request.ts';
import type { BindingDeps } from '../routing/bind-routes.ts';

export interface McpDeps extends Pick<BindingDeps, 'logger' | 'admission' | 'running' | keyof BodyDeps> {
  /** Origins beside that of the gateway whose pages may use it; `*` for any. */
  readonly corsOrigins: readonly string[];
  /** The address at which this gateway reaches itself on a port. */
  readonly ownUrl: (port: number) => string;
}

/**
 * How long a message may take, in milliseconds. A tool sends up to two requests of the HTTP API, one after the other, and the
 * client gives up each after 130 s.
 */
const defaultTimeoutMs = 300_000;

/** Not in the OpenAPI document, because MCP describes itself. */
export const mcpPaths = ['/mcp', '/mcp/{agent_id}'] as const;

/**
 * Serves MCP over Streamable HTTP without sessions. Tools, resources and prompts send requests of the HTTP API to this
 * gateway with the credential of the caller, so that scopes, limits, spaces and errors are the same; only those requests
 * are counted.
 * @param timeoutMs after which a message is answered with 504; 300 000 unless given
 */
export function bindMcp(app: Express, deps: McpDeps, timeoutMs = defaultTimeoutMs): void {
  for (const path of mcpPaths) {
    app.post(
      path.replace('{agent_id}', ':agent_id'),
      markRoute(path),
      refuseForeignOrigins(deps.corsOrigins),
      identifyCaller(deps.admission),
      readBody(deps, (response) => ownerOf(callerOf(response))),
      (request: Request, response: Response) => answer(request, response, { ...deps, timeoutMs }),
    );
  }
}

interface AnswerDeps extends McpDeps {
  readonly timeoutMs: number;
}

async function answer(request: Request, response: Response, deps: AnswerDeps): Promise<void> {
  const caller = callerOf(response);
  assertAgent(caller, request.params);
  const agentId = agentOf(request) ?? boundAgentOf(caller);
  if (agentId === undefined) throw badRequest(agentMissing);
  const requestId = requestIdOf(response);
  const exchange = await withinTime(deps.timeoutMs, deps.running.begin(response), (signal) =>
    answerMcp({
      agent: clientFor(request, requestId, deps).agent(agentId),
      isAdmin: wantsAdmin(request),
      mayWrite: mayWrite(caller),
      onError: (error) => deps.logger.error({ err: error, requestId }, 'An MCP request failed'),
      headers: { get: (name) => request.get(name) },
      message: readMessage(request),
      signal,
    }),
  );
  send(response, exchange);
}

/**
 * Runs `act` with a signal that follows another one, and is aborted after a time in milliseconds.
 * @throws WireError 504 when `act` rejects with the reason of its signal then
 */
async function withinTime<Result>(
  timeoutMs: number,
  outer: AbortSignal,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const message = `The message was not processed within ${timeoutMs} ms`;
  const end = () => late.abort(timedOut(message));
  const timer = setTimeout(end, timeoutMs);
  try {
    return await act(AbortSignal.any([outer, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** @returns null, which MCP has an error for, when the body is not JSON */
function readMessage(request: Request): unknown {
  try {
    return parseBody(takeBody(request)) ?? null;
  } catch (error) {
    const isNoJson = error instanceof InvalidRequestError && error.detail[0]?.type === 'json_invalid';
    if (isNoJson) return null;
    throw error;
  }
}

const agentMissing =
  'Name the agent in the address, as in /mcp/{agent_id}, or use an API key that is bound to an agent';

function agentOf({ params }: Request): string | undefined {
  return typeof params.agent_id === 'string' ? params.agent_id : undefined;
}

/** @throws InvalidRequestError for any other value of `tools` than `admin` */
function wantsAdmin({ query }: Request): boolean {
  if (query.tools === undefined) return false;
  if (query.tools === 'admin') return true;
  throw new InvalidRequestError([{ loc: ['query', 'tools'], msg: "Input should be 'admin'", type: 'enum' }]);
}

/** A client of this gateway, for one request, on behalf of its caller. The caller repeats what failed. */
function clientFor(request: Request, requestId: string, { ownUrl }: McpDeps): Mneme {
  return new Mneme({
    baseUrl: ownUrl(request.socket.localPort ?? 0),
    apiKey: readCredential(request.rawHeaders)?.text,
    spaceId: request.get('x-space-id'),
    retries: 0,
    fetch: (address, init) => {
      const headers = new Headers(init?.headers);
      headers.set('x-request-id', requestId);
      // Nothing is sent twice, so no answer needs to be kept.
      headers.delete('idempotency-key');
      return fetch(address, { ...init, headers });
    },
  });
}

/**
 * Refuses pages of other origins, as MCP demands: with DNS rebinding, a page could otherwise use a server without
 * authentication. Programs other than browsers send no `Origin`.
 * @throws WireError 403
 */
function refuseForeignOrigins(allowed: readonly string[]): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (!isOfOtherOrigin(request, undefined) || isAllowedOrigin(request, allowed)) next();
    else throw forbidden('Pages of this origin may not use MCP here; add the origin to CORS_ORIGINS');
  };
}
