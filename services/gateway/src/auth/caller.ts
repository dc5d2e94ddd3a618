import { grants, type KeyRecord, type Route, scopeOf } from '@mneme/contracts';
import type { Response } from 'express';
import { boundToAnother, InsufficientScopeError } from '../errors.ts';

interface Named<Kind extends string, Actor extends string | undefined> {
  readonly kind: Kind;
  /** Separates what callers do not share, such as idempotency keys. */
  readonly id: string;
  /** The actor in events; undefined for an anonymous caller. */
  readonly actor: Actor;
}

export type AnonymousCaller = Named<'anonymous', undefined>;

export interface UserCaller extends Named<'user', string> {
  readonly userId: number;
  /** Whether the user may see and repair the system. */
  readonly isOperator: boolean;
}

export interface KeyCaller extends Named<'key', string> {
  readonly key: KeyRecord;
  /** SHA-256 of the key that requests are counted by, in hexadecimal: of this one, or of the one that has replaced it. */
  readonly keyHash: string;
}

/** On whose behalf a request is made. */
export type Caller = AnonymousCaller | UserCaller | KeyCaller;

/** A caller in the space whose memory the request works in. */
export type MemoryCaller = Caller & { readonly space: string };

export const anonymousCaller: AnonymousCaller = Object.freeze({ kind: 'anonymous', id: 'public', actor: undefined });

export function userCaller(userId: number, isOperator = false): UserCaller {
  const id = `user:${userId}`;
  return { kind: 'user', id, actor: id, userId, isOperator };
}

export function keyCaller(key: KeyRecord, keyHash: string): KeyCaller {
  const id = `key:${key.keyId}`;
  return { kind: 'key', id, actor: id, key, keyHash };
}

/** The user whose caller it is, the same for all keys and spaces of the user; all anonymous callers are one. */
export function ownerOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return anonymousCaller.id;
  return userCaller(caller.kind === 'key' ? caller.key.userId : caller.userId).id;
}

/** Stores the caller of a request for the middleware and routes that follow. */
export function setCaller(response: Response, caller: Caller): void {
  response.locals.caller = caller;
}

export function callerOf(response: Response): Caller {
  return response.locals.caller as Caller;
}

/** @throws WireError 403 naming the scope that a key needs for the route */
export function assertScope(caller: Caller, route: Route): void {
  const scope = scopeOf(route);
  if (caller.kind !== 'key' || scope === 'none' || grants(caller.key.scopes, scope)) return;
  throw new InsufficientScopeError(scope);
}

/** Whether what a caller makes an agent think may be stored. */
export function mayWrite(caller: Caller): boolean {
  return caller.kind !== 'key' || grants(caller.key.scopes, 'memory:write');
}

/** The only agent that a caller may access; undefined: any agent of the space. */
export function boundAgentOf(caller: Caller): string | undefined {
  const agentId = caller.kind === 'key' ? caller.key.agentId : null;
  // A number stands for the agent of that name.
  return agentId === null ? undefined : String(agentId);
}

/** For requests about something that belongs to an agent without naming it: its service refuses that of another agent. */
export function onlyAgent(caller: Caller): { onlyAgent?: string } {
  const agentId = boundAgentOf(caller);
  return agentId === undefined ? {} : { onlyAgent: agentId };
}

/**
 * Checks the agents that parts of a request name.
 * @throws WireError 403 when one of them is not the agent that the key is bound to
 */
export function assertAgent(caller: Caller, ...parts: readonly unknown[]): void {
  const bound = boundAgentOf(caller);
  if (bound === undefined) return;
  for (const part of parts) {
    const named = [agentNamedIn(part), ...agentsNamedIn(part)];
    if (named.some((agent) => agent !== undefined && agent !== bound)) {
      throw boundToAnother();
    }
  }
}

/** The agents that a request about several of them names; none for any other request. */
export function agentsNamedIn(part: unknown): readonly string[] {
  const named = part !== null && typeof part === 'object' && 'agent_ids' in part ? part.agent_ids : undefined;
  return Array.isArray(named) ? named : [];
}

/** The agent that a part of a request, or an answer, is about. */
export function agentNamedIn(part: unknown): string | undefined {
  const named = part !== null && typeof part === 'object' && 'agent_id' in part ? part.agent_id : undefined;
  return typeof named === 'string' ? named : undefined;
}
