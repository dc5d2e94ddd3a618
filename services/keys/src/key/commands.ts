import { accessSubjects, type RegeneratedKeyReply, type UpdatedKeyReply } from '@mneme/contracts';
import { type EventContext, execute, type Position } from '@mneme/event-store';
import { type Access, confirmCommand } from '../access.ts';
import { type ChangeKey, type Key, keyDecider, type RegenerateKey, type RevokeKey } from './decider.ts';
import { keyCreatedAt } from './key-created-at.ts';
import { describe } from './key-forms.ts';
import { markOf } from './new-key.ts';
import { findKeyStorage, type KeyRequest } from './queries.ts';

interface Changed<T> {
  readonly value: T;
  readonly position: Position | undefined;
}

export type UpdateKeyRequest = KeyRequest & Pick<ChangeKey, 'name' | 'scopes' | 'rateLimit' | 'isActive'>;

/** @throws DomainError `key-storage-not-found`, `key-not-found`, `key-not-yours`, in this order */
export async function updateKey(
  access: Access,
  request: UpdateKeyRequest,
  context: EventContext,
): Promise<Changed<UpdatedKeyReply>> {
  const { name, scopes, rateLimit, isActive } = request;
  const ref = await findKeyStorage(access, request);
  const command = { type: 'ChangeKey', ref, name, scopes, rateLimit, isActive } as const;
  const { key, position } = await decide(access, command, context);
  const created_at = await keyCreatedAt(access, key.keyId);
  return { value: { ...describe(key), is_active: key.isActive, created_at }, position };
}

/** @throws DomainError like `updateKey` */
export async function revokeKey(
  access: Access,
  request: KeyRequest,
  context: EventContext,
): Promise<Changed<{ name: string }>> {
  const ref = await findKeyStorage(access, request);
  const { key, position } = await decide(access, { type: 'RevokeKey', ref }, context);
  return { value: { name: key.name }, position };
}

const regenerated = 'API key regenerated. The old key is no longer valid.';

/** @throws DomainError like `updateKey` */
export async function regenerateKey(
  access: Access,
  request: KeyRequest & { commandId: string },
  context: EventContext,
): Promise<Changed<RegeneratedKeyReply>> {
  const ref = await findKeyStorage(access, request);
  const secret = access.newKey();
  const { commandId } = request;
  const command = { type: 'RegenerateKey', ref, mark: markOf(secret), commandId } as const;
  const { key, position } = await decide(access, command, context);
  return { value: { ...describe(key), key: secret, message: regenerated }, position };
}

/** The key as it is after the command, which holds everywhere by then. */
async function decide(
  access: Access,
  command: ChangeKey | RevokeKey | RegenerateKey,
  context: EventContext,
): Promise<{ key: NonNullable<Key>; position: Position | undefined }> {
  const subject = accessSubjects.key(command.ref.keyId);
  const { state, position } = await execute(access.store, keyDecider, subject, command, context);
  if (!state) throw new Error('A command was carried out on no key');
  await confirmCommand(access, subject, position);
  return { key: state, position };
}
