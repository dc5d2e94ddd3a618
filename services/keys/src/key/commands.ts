import { hash, randomBytes } from 'node:crypto';
import {
  type AccessEvent,
  accessSubjects,
  type CreatedKeyReply,
  issuedKeyStart,
  type keys,
  type RegeneratedKeyReply,
  type RequestOf,
  type UpdatedKeyReply,
} from '@mneme/contracts';
import { type AsyncDecider, contended, type EventContext, execute, type Position } from '@mneme/event-store';
import { assertRoom, type CommandResult } from '@mneme/read-models';
import type { KeysDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { findOpenProject } from '../project/queries.ts';
import {
  type ChangeKey,
  type IssueKey,
  type Key,
  type KeyMark,
  keyDecider,
  type RegenerateKey,
  type RevokeKey,
} from './decider.ts';
import { findKeyStorage, type KeyQuery, keyCreatedAt, oldKeyValidUntil, toKeyFields } from './queries.ts';
import { assertAnswerLost } from './repeats.ts';

type KeyCommand = IssueKey | ChangeKey | RegenerateKey | RevokeKey;

const createdMessage = 'API key created. Store it now: it will not be shown again.';
const dayMs = 24 * 60 * 60 * 1_000;
/** What the record of a key takes in the bucket that the gateway reads, without its scopes, in bytes. */
const recordBytes = 600;
const randomLength = 16;
const prefixLength = 7;

/**
 * Issues a key in the project's space. When the same command comes again, its record gets a new secret, because the
 * first one is not stored anywhere.
 * @throws DomainError `project-not-found`; `key-not-found` when the key was revoked meanwhile
 * @throws WireError 409 when the user has as many keys as one may have; 503 when there is no room for its record, or when
 * another process may be answering the same command
 */
export async function createKey(
  deps: KeysDeps,
  request: RequestOf<typeof keys.createKey>,
  context: EventContext,
): Promise<CommandResult<CreatedKeyReply>> {
  const project = await findOpenProject(deps, request);
  if (!project) throw new DomainError('project-not-found');
  const { userId, commandId, expiresInDays, ...asked } = request;
  const { rows, itemsPerUser: most } = deps;
  const beforeNew = () =>
    assertRoom({ rows: rows().keys, filter: { userId }, most, what: 'API keys', owner: 'user', isDeletable: true });
  const keyId = await deps.ids.assign({ kind: 'key', userId, commandId, beforeNew }, context);
  const secret = deps.newKey();
  const issued = {
    ...asked,
    ...markOf(secret),
    keyId,
    userId,
    commandId,
    spaceId: project.spaceId,
    expiresAt: expiryOf(deps, expiresInDays),
  };
  const subject = accessSubjects.key(keyId);
  const done = await executeOnKey(deps, userId, { type: 'IssueKey', key: issued }, subject, context);
  const position = await deps.progress.confirm(subject, done.position);
  const created_at = await keyCreatedAt(deps, keyId);
  return {
    value: { ...toKeyFields(existing(done.state)), key: secret, created_at, message: createdMessage },
    position,
  };
}

/** @throws DomainError `key-storage-not-found`, `key-not-found`, `key-not-yours`, in this order */
export async function updateKey(
  deps: KeysDeps,
  request: RequestOf<typeof keys.updateKey>,
  context: EventContext,
): Promise<CommandResult<UpdatedKeyReply>> {
  const { name, scopes, rateLimit, isActive } = request;
  const ref = await findKeyStorage(deps, request);
  const command = { type: 'ChangeKey', ref, name, scopes, rateLimit, isActive } as const;
  const { key, position } = await executeAndConfirm(deps, command, context);
  const created_at = await keyCreatedAt(deps, key.keyId);
  return { value: { ...toKeyFields(key), is_active: key.isActive, created_at }, position };
}

/** @throws DomainError like `updateKey` */
export async function revokeKey(
  deps: KeysDeps,
  request: KeyQuery,
  context: EventContext,
): Promise<CommandResult<{ name: string }>> {
  const ref = await findKeyStorage(deps, request);
  const { key, position } = await executeAndConfirm(deps, { type: 'RevokeKey', ref }, context);
  return { value: { name: key.name }, position };
}

/**
 * @throws DomainError like `updateKey`
 * @throws WireError 503 when there is no room for the record of another key, or when another process may be answering the
 * same command
 */
export async function regenerateKey(
  deps: KeysDeps,
  request: RequestOf<typeof keys.regenerateKey>,
  context: EventContext,
): Promise<CommandResult<RegeneratedKeyReply>> {
  const ref = await findKeyStorage(deps, request);
  const secret = deps.newKey();
  const { overlapSeconds = 0, commandId } = request;
  const overlapUntil = overlapSeconds === 0 ? null : timeAfter(deps, overlapSeconds * 1_000);
  const command = { type: 'RegenerateKey', ref, mark: markOf(secret), overlapUntil, commandId } as const;
  const { key, position } = await executeAndConfirm(deps, command, context);
  const overlap = oldKeyValidUntil(key.overlap?.until, key.expiresAt, deps.clock());
  const { old_key_valid_until: end } = overlap;
  const message = `API key regenerated. The old key ${end === undefined ? 'is no longer valid' : `is valid until ${end}`}.`;
  return { value: { ...toKeyFields(key), key: secret, ...overlap, message }, position };
}

/** Makes a secret key of 128 random bits. */
export function newKey(): string {
  return issuedKeyStart + randomBytes(randomLength).toString('hex');
}

/** What is stored of a key. The key is random, so an unsalted hash of it cannot be reversed by guessing. */
export function markOf(key: string): KeyMark {
  const keyHash = hash('sha256', key);
  return { keyHash, keyPrefix: key.slice(0, prefixLength) };
}

/**
 * Decides about a key, and counts the record that a new secret adds to the bucket of the gateway.
 * @throws WireError 503 when there is no room for it, or when another process may be answering the same command
 */
function executeOnKey(
  { store, keyStates: cache, keyRoom, knownKeys, clock }: KeysDeps,
  userId: number,
  command: KeyCommand,
  subject: string,
  context: EventContext,
) {
  const counting: AsyncDecider<Key, KeyCommand, AccessEvent> = {
    ...keyDecider,
    decide: async (given, key, { attempt }) => {
      const events = keyDecider.decide(given, key);
      const scopes = given.type === 'IssueKey' ? given.key.scopes : (key?.scopes ?? []);
      const made = events.find((event) => event.type === 'KeyIssued' || event.type === 'KeyRegenerated');
      if (!made) return events;
      assertAnswerLost(key, made.data.commandId, knownKeys, clock());
      if (attempt === 1) await keyRoom.take(String(userId), recordBytes + Buffer.byteLength(JSON.stringify(scopes)));
      // Before it is appended, since the acknowledgement may be lost.
      knownKeys.noteOwn(made.data.keyHash);
      return events;
    },
  };
  return execute(store, counting, subject, command, context, { ...contended, cache, signal: context.signal });
}

function expiryOf(deps: KeysDeps, days: number | null): string | null {
  return days === null ? null : timeAfter(deps, days * dayMs);
}

function timeAfter({ clock }: KeysDeps, ms: number): string {
  return new Date(clock().getTime() + ms).toISOString();
}

/** Decides about an issued key. Returns it as it is afterwards, once the read model and the buckets have applied that. */
async function executeAndConfirm(
  deps: KeysDeps,
  command: ChangeKey | RevokeKey | RegenerateKey,
  context: EventContext,
): Promise<{ key: NonNullable<Key>; position: Position | undefined }> {
  const subject = accessSubjects.key(command.ref.keyId);
  const { state, position } = await executeOnKey(deps, command.ref.userId, command, subject, context);
  await deps.progress.confirm(subject, position);
  return { key: existing(state), position };
}

function existing(key: Key): NonNullable<Key> {
  if (!key) throw new Error('The key was not issued');
  return key;
}
