import { accessSubjects, type KeyReply } from '@mneme/contracts';
import type { Access } from '../access.ts';
import { findOpenProject } from '../project/queries.ts';
import type { UsageRows } from '../usage/rows.ts';
import { toListedKey } from './key-forms.ts';

/** The keys of the project's space, of all owners, the newest first. */
export async function listKeys(
  access: Access,
  usage: UsageRows,
  query: { userId: number; projectId: number },
): Promise<KeyReply[]> {
  const project = await findOpenProject(access, query);
  if (!project) return [];
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  const keys = await access.rows().keys.find({ spaceId: project.spaceId }).sort(newestFirst).toArray();
  for (const { _id } of keys) access.progress.assertCurrent(accessSubjects.key(_id));
  const used = await usage.find(keys.map(({ keyHash }) => keyHash));
  return keys.map((key) => toListedKey(key, used.get(key.keyHash)));
}
