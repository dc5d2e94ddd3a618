import type { Access } from '../access.ts';
import { DomainError } from '../errors.ts';

/**
 * When a key was created, for a command that is confirmed.
 * @throws DomainError `key-not-found` when it was revoked since
 */
export async function keyCreatedAt({ rows }: Access, keyId: number): Promise<string> {
  const row = await rows().keys.findOne({ _id: keyId });
  if (!row) throw new DomainError('key-not-found', 'API key not found');
  return row.createdAt.toISOString();
}
