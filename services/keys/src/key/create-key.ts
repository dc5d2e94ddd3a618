import { accessSubjects, type BoundAgent, type CreatedKeyReply } from '@mneme/contracts';
import { assignId, type EventContext, execute, type Position } from '@mneme/event-store';
import { type Access, confirmCommand } from '../access.ts';
import { DomainError } from '../errors.ts';
import { findOpenProject } from '../project/queries.ts';
import { type Key, keyDecider } from './decider.ts';
import { keyCreatedAt } from './key-created-at.ts';
import { describe } from './key-forms.ts';
import { markOf } from './new-key.ts';

export interface CreateKeyRequest {
  readonly userId: number;
  readonly projectId: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly expiresInDays: number | null;
  readonly agentId: BoundAgent;
  readonly commandId: string;
}

const message = 'API key created. Store it now: it will not be shown again.';
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Issues a key in the project's space. The same command again finds its record and gives it another key, since nobody
 * knows the first one any more.
 * @throws DomainError `project-not-found`; `key-not-found` when the key was revoked meanwhile
 */
export async function createKey(
  access: Access,
  request: CreateKeyRequest,
  context: EventContext,
): Promise<{ value: CreatedKeyReply; position: Position }> {
  const project = await findOpenProject(access, request);
  if (!project) throw new DomainError('project-not-found', 'Project not found');
  const { userId, commandId } = request;
  const keyId = await assignId(access, { kind: 'key', userId, commandId }, context);
  const subject = accessSubjects.key(keyId);
  const key = access.newKey();
  const command = { type: 'IssueKey', key: issued(access, request, { keyId, spaceId: project.spaceId, key }) } as const;
  const done = await execute(access.store, keyDecider, subject, command, context);
  const position = await confirmCommand(access, subject, done.position);
  const created_at = await keyCreatedAt(access, keyId);
  return { value: { ...describe(existing(done.state)), key, created_at, message }, position };
}

function issued({ clock }: Access, request: CreateKeyRequest, made: { keyId: number; spaceId: number; key: string }) {
  const { expiresInDays, scopes, ...asked } = request;
  const { key, ...ids } = made;
  const expiresAt = expiresInDays === null ? null : new Date(clock().getTime() + expiresInDays * dayMs).toISOString();
  return { ...asked, ...ids, ...markOf(key), scopes: [...scopes], expiresAt };
}

function existing(key: Key): NonNullable<Key> {
  if (!key) throw new Error('The key was not issued');
  return key;
}
