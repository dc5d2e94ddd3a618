import type { Db } from 'mongodb';
import { instancesCollection, leasesCollection } from '../lanes/leases.ts';
import { sessionsCollection } from '../mongo/sessions.ts';
import { silentMs } from './other-releases.ts';
import type { Registry } from './registry.ts';

/** What instances write down about a version that they have at work. The leases last: by them it is found. */
const collections = [sessionsCollection, instancesCollection, leasesCollection];

/**
 * Deletes the leases, members and sessions of removed versions of a read model, except of those that some instance, perhaps of
 * another release, has not left yet: it would write its leases again. Former holders are fenced without their leases, by the
 * checkpoints, which are gone with the version.
 */
export async function deleteOrphans(
  db: Db,
  name: string,
  registry: Pick<Registry, 'build' | 'isAtWork'>,
): Promise<void> {
  // Read before the registry, where a new version is written down before it has leases.
  const keys = await db.collection<{ version: string }>(leasesCollection).distinct('version');
  for (const key of keys.filter((each) => each.startsWith(`${name}@`))) {
    const version = Number(key.slice(name.length + 1));
    if ((await registry.build(version)) || (await registry.isAtWork(version, silentMs))) continue;
    for (const collection of collections) await db.collection(collection).deleteMany({ version: key });
  }
}
