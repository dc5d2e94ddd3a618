import { type Route, spaceName } from '@mneme/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { credentialRequired, forbidden, tooManyRequests } from '../errors.ts';
import { requestIdOf } from '../http/request.ts';
import type { KeyMeter } from '../rate-limit/key-meter.ts';
import { windowSeconds } from '../rate-limit/sliding-window.ts';
import type { UsageCounter } from '../rate-limit/usage-counter.ts';
import { type AuthenticationDeps, authenticate } from './authenticate.ts';
import {
  assertAgent,
  assertScope,
  type Caller,
  type KeyCaller,
  type MemoryCaller,
  setCaller,
  type UserCaller,
} from './caller.ts';
import type { EnsureUser, UserSpaces } from './user-spaces.ts';

export interface AdmissionDeps extends AuthenticationDeps {
  readonly meter: KeyMeter;
  readonly usage: Pick<UsageCounter, 'count'>;
  readonly spaces: UserSpaces;
  /** Requests a user on behalf of an HTTP request. */
  readonly ensureUser: (requestId: string) => EnsureUser;
  readonly memoryAuth: 'optional' | 'required';
}

/**
 * Admits the callers of a route before their bodies are read: authenticates them, counts a request against the rate limit
 * of its key, and checks what the key may do and in which space.
 */
export function admitCaller(route: Route, deps: AdmissionDeps): RequestHandler {
  return async (request, response, next) => {
    const caller = await authenticate(request, deps);
    setCaller(response, await admit(caller, route, { request, response, deps }));
    next();
  };
}

function admit(caller: Caller, route: Route, visit: Visit): Caller | Promise<Caller> {
  if (route.audience === 'operator') return asOperator(caller);
  return route.audience === 'user' ? asUser(caller) : enterSpace(caller, route, visit);
}

/**
 * Checks again, while a long answer goes on, whether its caller may still have it.
 * @throws WireError 401 or 403 when the credential has ended, 503 when it cannot be verified now
 */
export async function assertStillUser(request: Request, deps: AdmissionDeps): Promise<void> {
  asUser(await authenticate(request, deps));
}

/**
 * Authenticates the callers of requests that are not counted themselves, since the requests that they lead to are.
 * @throws WireError 401 for an anonymous caller where the memory area requires credentials
 */
export function identifyCaller(deps: AdmissionDeps): RequestHandler {
  return async (request, response, next) => {
    const caller = await authenticate(request, deps);
    if (caller.kind === 'anonymous' && deps.memoryAuth === 'required') throw credentialRequired();
    setCaller(response, caller);
    next();
  };
}

/**
 * The answer to a request, once the request is counted.
 * @throws WireError when the count refuses the request; that has precedence over what else is wrong with it
 */
export async function whenCounted<Answer>(response: Response, answer: Promise<Answer>): Promise<Answer> {
  answer.catch(() => undefined);
  await (response.locals.counted as Promise<void> | undefined);
  return answer;
}

/** @throws WireError 401 for an anonymous caller, 403 for a key */
function asUser(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller;
  if (caller.kind === 'key') throw forbidden('An API key may not do this; use the token of a user');
  throw credentialRequired('A token of a user is required');
}

/** @throws WireError 401 for an anonymous caller, 403 for a key and for a user without the role */
function asOperator(caller: Caller): UserCaller {
  const user = asUser(caller);
  if (user.isOperator) return user;
  throw forbidden(
    `Only operators may do this. To make user ${user.userId} one, add the id to the setting OPERATORS of the gateway, or the operator's role to the token; see docs/access.md`,
  );
}

interface Visit {
  readonly request: Request;
  readonly response: Response;
  readonly deps: AdmissionDeps;
}

async function enterSpace(caller: Caller, route: Route, { request, response, deps }: Visit): Promise<MemoryCaller> {
  const wanted = request.get('x-space-id');
  switch (caller.kind) {
    case 'anonymous':
      if (deps.memoryAuth === 'required') throw credentialRequired();
      if (wanted !== undefined) throw credentialRequired('X-Space-Id needs the token of a user');
      return { ...caller, space: 'public' };
    case 'user': {
      const space = await deps.spaces.choose(caller.userId, wanted, deps.ensureUser(requestIdOf(response)));
      // The same request of a user in two spaces is two requests.
      return { ...caller, id: `${caller.id}/space:${space}`, space };
    }
    case 'key':
      return admitKey(caller, route, { request, response, deps });
  }
}

async function admitKey(caller: KeyCaller, route: Route, { request, response, deps }: Visit): Promise<MemoryCaller> {
  const isFull = deps.meter.isFull(caller.keyHash, caller.key.rateLimit);
  const counted = countRequest(caller, response, deps);
  if (isPlainRead(route) && !isFull) workMeanwhile(response, counted);
  else await counted;
  try {
    return useKey(caller, route, request);
  } catch (refusal) {
    // The rate limit has precedence over permissions.
    await counted;
    throw refusal;
  }
}

/** Whether answering the route changes nothing. */
function isPlainRead({ method, isWrite }: Route): boolean {
  return method === 'get' && !isWrite;
}

/** Lets the work on a read begin while it is still being counted. If it is refused, the result is discarded. */
function workMeanwhile(response: Response, counted: Promise<void>): void {
  // `whenCounted` handles the rejection.
  counted.catch(() => undefined);
  response.locals.counted = counted;
}

/** @throws WireError 403 for what the key may not do */
function useKey(caller: KeyCaller, route: Route, request: Request): MemoryCaller {
  assertScope(caller, route);
  assertAgent(caller, request.params, request.query);
  const space = spaceName(caller.key.spaceId);
  const wanted = request.get('x-space-id');
  if (wanted !== undefined && wanted !== space) throw forbidden('The key works in another space');
  return { ...caller, space };
}

/**
 * Counts a request of a key.
 * @throws WireError 429 past the limit of the key
 */
export async function countRequest(
  { key, keyHash }: KeyCaller,
  response: Response,
  { meter, usage }: Pick<AdmissionDeps, 'meter' | 'usage'>,
): Promise<void> {
  const { isAdmitted, limit, remaining, resetSeconds } = await meter.take({ keyId: key.keyId, keyHash }, key.rateLimit);
  usage.count(key.keyId, isAdmitted);
  response.setHeader('RateLimit-Policy', `"key";q=${limit};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"key";r=${remaining};t=${resetSeconds}`);
  if (isAdmitted) return;
  const message = `The key may make ${limit} requests per 60 s; try again in ${resetSeconds} s`;
  throw tooManyRequests(message, resetSeconds);
}
