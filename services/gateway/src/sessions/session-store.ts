import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { maxSessionDays } from '@mneme/contracts';
import { ignoreConflict, storedEntry } from '@mneme/event-store';
import { openBytes, sealBytes } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { z } from 'zod';
import { refuseWhenFull } from '../errors.ts';
import { type GatewayBucketDeps, openGatewayBucket } from '../gateway-bucket.ts';
import { ShortCache, untilCachesExpire } from '../short-cache.ts';

/** How long a sign-in code is valid, in milliseconds. */
const codeMs = 10 * 60 * 1_000;
/** How long a session may last, in milliseconds. */
export const maxSessionMs = maxSessionDays * 24 * 60 * 60 * 1_000;
/** How many sessions a user has at most, and each of the user's keys as many; no user needs as many browsers. */
const maxSessions = 100;
/** How many sessions all keys of a user have together at most. */
const maxSessionsOfKeys = 1_000;
/** Of codes and of ids of sessions; long enough that no one can guess one. */
const secretBytes = 32;
const secretPattern = /^[\w-]{43}$/;
const mebibyte = 1_024 * 1_024;
const sessionsBucket = 'browser-sessions';
/** Ids come from browsers, and may not name the sessions of others. Those of earlier releases have no holder. */
const sessionIdPattern = /^(user\.\d{1,15}\.|key\.\d{1,15}\.\d{1,15}\.)?[\w-]{43}$/;
const noRoom = 'Too many browsers are signed in to remember another one; try again later';

/** Whom a session stands for: who has the credential, or the user whom an identity provider has named. */
const grantSchema = z.union([
  z.object({ credential: z.string() }),
  z.object({
    userId: z.int(),
    /** The role of operators that the provider has confirmed; earlier releases stored none. */
    operatorRole: z.string().optional(),
  }),
]);
export type Grant = z.infer<typeof grantSchema>;

const sessionSchema = z.object({
  grant: grantSchema,
  /** Milliseconds since 1970. */
  expiresAt: z.int(),
});
export type Session = z.infer<typeof sessionSchema>;

/** Whose session it is: that of a user, or of one of the user's keys. */
export interface SessionHolder {
  readonly userId: number;
  readonly keyId?: number;
}

/** Stores the sessions of browsers for all gateways. */
export interface SessionStore {
  /** @returns a code that can be taken once, within 10 minutes */
  createCode(credential: string): Promise<string>;
  /** @returns the credential of a code; undefined when the code is unknown, has expired, or was taken before */
  takeCode(code: string): Promise<string | undefined>;
  /**
   * Stores a session. If its holder has too many then, the oldest ones end.
   * @returns the id of the session, which no one else learns
   * @throws WireError 503 when there is no room for it
   */
  create(holder: SessionHolder, session: Session): Promise<string>;
  /** @returns undefined when there is no such session, or it has ended */
  find(id: string): Promise<Session | undefined>;
  /** Ends a session for all gateways. */
  end(id: string): Promise<void>;
}

export interface SessionStoreDeps extends GatewayBucketDeps {
  /** The size limit of the bucket of sessions, in bytes. */
  readonly maxBytes?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Keeps codes and sessions in two NATS KV buckets under the SHA-256 of the secret that the browser has, encrypted with a key
 * derived from that secret. So the buckets and their backups open no session, and gateways need no secret in common. The
 * holder of a session is a part of its id and of its name, so that NATS can remove the oldest ones of a holder.
 */
export async function openSessionStore(deps: SessionStoreDeps): Promise<SessionStore> {
  const { maxBytes = 64 * mebibyte, clock } = deps;
  const open = (name: string, description: string, ttlMs: number, maxBytes: number) =>
    openGatewayBucket(deps, { name, description, history: 1, ttlMs, maxBytes });
  const [codes, sessions] = await Promise.all([
    open('sign-in-codes', 'Codes that sign a browser in once', codeMs, 4 * mebibyte),
    open(sessionsBucket, 'Sessions of browsers', maxSessionMs, maxBytes),
  ]);
  const manager = await jetstreamManager(deps.connection, { checkAPI: false });
  /** Leaves no marks of what is removed, which would count as sessions. @param keep how many of the newest ones stay */
  const remove = (names: string, keep = 0) =>
    sessions.ask(() =>
      manager.streams.purge(`KV_${sessionsBucket}`, { filter: `$KV.${sessionsBucket}.${names}`, keep }),
    );
  const cache = new ShortCache<Session>();
  const read = async (id: string, name: string): Promise<Session | undefined> => {
    const entry = await sessions.ask(() => storedEntry(sessions.bucket, name));
    return entry && sessionSchema.parse(JSON.parse(unseal(entry.value, id)));
  };
  return {
    createCode: async (credential) => {
      const code = newSecret();
      await codes.ask(() => codes.bucket.put(nameOf(code), seal(credential, code))).catch(refuseWhenFull(noRoom));
      return code;
    },
    takeCode: async (code) => (secretPattern.test(code) ? codes.ask(() => takeCode(codes.bucket, code)) : undefined),
    create: async ({ userId, keyId }, session) => {
      const holder = keyId === undefined ? `user.${userId}` : `key.${userId}.${keyId}`;
      const id = `${holder}.${newSecret()}`;
      const sealed = seal(JSON.stringify(session), id);
      await sessions.ask(() => sessions.bucket.put(`${holder}.${nameOf(id)}`, sealed)).catch(refuseWhenFull(noRoom));
      await remove(`${holder}.*`, maxSessions);
      if (keyId !== undefined) await remove(`key.${userId}.*.*`, maxSessionsOfKeys);
      return id;
    },
    find: async (id) => {
      const name = sessionNameOf(id);
      if (name === undefined) return undefined;
      const session = cache.get(name) ?? (await cache.refresh(name, () => read(id, name)));
      return session && session.expiresAt > clock() ? session : undefined;
    },
    end: async (id) => {
      const name = sessionNameOf(id);
      if (name === undefined) return;
      await remove(name);
      await untilCachesExpire();
    },
  };
}

/** Of two that take a code at the same time one gets it: the other's write meets another revision. */
async function takeCode(codes: KV, code: string): Promise<string | undefined> {
  const entry = await storedEntry(codes, nameOf(code));
  if (!entry || entry.length === 0) return undefined;
  const taken = await ignoreConflict(codes.update(entry.key, new Uint8Array(), entry.revision));
  return taken === undefined ? undefined : unseal(entry.value, code);
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** @returns the name of a session in its bucket; undefined for what is no id */
function sessionNameOf(id: string): string | undefined {
  const match = sessionIdPattern.exec(id);
  return match ? `${match[1] ?? ''}${nameOf(id)}` : undefined;
}

function nameOf(secret: string): string {
  return hash('sha256', secret);
}

const purpose = 'mneme browser session 1';

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, secretBytes));
}

function seal(text: string, secret: string): Uint8Array {
  return sealBytes(keyOf(secret), text);
}

function unseal(bytes: Uint8Array, secret: string): string {
  return openBytes(keyOf(secret), bytes);
}
