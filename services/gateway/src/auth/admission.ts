import { type Route, spaceName } from '@mneme/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { credentialRequired, forbidden, tooManyRequests } from '../errors.ts';
import { requestIdOf } from '../http/request.ts';
import { workMeanwhile } from '../rate-limit/counting.ts';
import type { KeyMeter } from '../rate-limit/key-meter.ts';
import { setRateLimitHeaders } from '../rate-limit/rate-limit-headers.ts';
import { type AuthenticationDeps, authenticate } from './authenticate.ts';
import { assertAgent } from './bound-agent.ts';
import { type Caller, type KeyCaller, type MemoryCaller, setCaller, type UserCaller } from './caller.ts';
import { assertScope } from './scopes.ts';
import type { EnsureUser, UserSpaces } from './user-spaces.ts';

export interface AdmissionDeps extends AuthenticationDeps {
  readonly meter: KeyMeter;
  readonly spaces: UserSpaces;
  /** Asks for a user on behalf of a request. */
  readonly ensureUser: (requestId: string) => EnsureUser;
  readonly memoryAuth: 'optional' | 'required';
}

/**
 * Lets those in that may make a call of this route, before its body is read: who it is, whether a key is within its rate
 * limit, whether it may do this, and in which space.
 */
export function admitCaller(route: Route, deps: AdmissionDeps): RequestHandler {
  return async (request, response, next) => {
    const caller = await authenticate(request, deps);
    const isForUsers = route.audience === 'user';
    setCaller(response, isForUsers ? asUser(caller) : await enterSpace(caller, route, { request, response, deps }));
    next();
  };
}

/** @throws WireError 401 for nobody, 403 for a key */
function asUser(caller: Caller): UserCaller {
  if (caller.kind === 'user') return caller;
  if (caller.kind === 'key') throw forbidden('An API key may not do this; use the token of a user');
  throw credentialRequired('A token of a user is required');
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
      // What one user sends in two spaces are two requests, also when all else is the same.
      return { ...caller, id: `${caller.id}/space:${space}`, space };
    }
    case 'key':
      return admitKey(caller, route, { request, response, deps });
  }
}

async function admitKey(caller: KeyCaller, route: Route, { request, response, deps }: Visit): Promise<MemoryCaller> {
  const isFull = deps.meter.isFull(caller.keyHash, caller.key.rateLimit);
  const counted = count(caller, response, deps.meter);
  if (isPlainRead(route) && !isFull) workMeanwhile(response, counted);
  else await counted;
  try {
    return useKey(caller, route, request);
  } catch (refusal) {
    // Whether it is within the limit comes before whether it may do this.
    await counted;
    throw refusal;
  }
}

/** Answering it changes nothing. */
function isPlainRead({ method, isWrite }: Route): boolean {
  return method === 'get' && !isWrite;
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

/** @throws WireError 429 past the limit of the key */
async function count({ key, keyHash }: KeyCaller, response: Response, { take }: KeyMeter): Promise<void> {
  const decision = await take({ keyId: key.keyId, keyHash }, key.rateLimit);
  setRateLimitHeaders(response, decision);
  if (decision.isAdmitted) return;
  const { limit, resetSeconds } = decision;
  const message = `The key may make ${limit} requests per 60 s; try again in ${resetSeconds} s`;
  throw tooManyRequests(message, resetSeconds);
}
