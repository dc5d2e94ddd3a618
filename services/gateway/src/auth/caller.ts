import type { KeyRecord } from '@mneme/contracts';
import type { Response } from 'express';

interface Named<Kind extends string, Actor extends string | undefined> {
  readonly kind: Kind;
  /** Tells callers apart where they share nothing, such as idempotency keys. */
  readonly id: string;
  /** Who stands in the events; undefined for a caller without a name. */
  readonly actor: Actor;
}

export type AnonymousCaller = Named<'anonymous', undefined>;

export interface UserCaller extends Named<'user', string> {
  readonly userId: number;
}

export interface KeyCaller extends Named<'key', string> {
  readonly key: KeyRecord;
  /** SHA-256 of the key, in hexadecimal. */
  readonly keyHash: string;
}

/** On whose behalf a request is made. */
export type Caller = AnonymousCaller | UserCaller | KeyCaller;

/** A caller in the space whose memory the request works in. */
export type MemoryCaller = Caller & { readonly space: string };

export const anonymousCaller: AnonymousCaller = Object.freeze({ kind: 'anonymous', id: 'public', actor: undefined });

export function userCaller(userId: number): UserCaller {
  const id = `user:${userId}`;
  return { kind: 'user', id, actor: id, userId };
}

export function keyCaller(key: KeyRecord, keyHash: string): KeyCaller {
  const id = `key:${key.keyId}`;
  return { kind: 'key', id, actor: id, key, keyHash };
}

/** Keeps who makes a request for those that come after. */
export function setCaller(response: Response, caller: Caller): void {
  response.locals.caller = caller;
}

export function callerOf(response: Response): Caller {
  return response.locals.caller as Caller;
}
