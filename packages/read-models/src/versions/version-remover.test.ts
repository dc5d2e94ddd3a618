import { expect, it } from 'vitest';
import { logger, useTestSystem } from '../testing/test-read-model.ts';
import { Registry } from './registry.ts';
import { VersionRemover } from './version-remover.ts';

const system = useTestSystem();
/** At one of so many looks abandoned versions are removed. */
const looks = 10;

/** A remover, and three versions of which none has a role and all were begun an hour ago. */
async function withOldVersions() {
  const { connection, client, db } = system.parts;
  const registry = new Registry(db, 'sums');
  await registry.begin();
  for (const _ of [1, 2, 3]) await registry.add('1', 0);
  const hourAgo = { $dateSubtract: { startDate: '$$NOW', unit: 'hour', amount: 1 } };
  await db.collection('read_model_builds').updateMany({}, [{ $set: { startedAt: hourAgo } }]);
  const deps = { connection, client, db, instance: 'a', logger };
  const remover = new VersionRemover({
    deps,
    definition: system.definition(),
    registry,
    takeOut: () => undefined,
  });
  const left = async () => (await registry.begunBefore(0)).toSorted();
  return { registry, remover, left };
}

it('removes abandoned versions, but none that another instance has given a role during the look', async () => {
  const { registry, remover, left } = await withOldVersions();
  const blank = { live: null, target: null, previous: null };
  expect(await registry.change(blank, { ...blank, live: 3 })).toBe(true);
  for (let look = 0; look < looks; look += 1) await remover.removeAbandoned(2);
  expect(await left()).toEqual([2, 3]);
});

it('removes no version when nothing is known of their roles, because the database was lost', async () => {
  const { remover, left } = await withOldVersions();
  await system.parts.db.collection('read_models').drop();
  for (let look = 0; look < looks; look += 1) await remover.removeAbandoned(undefined);
  expect(await left()).toEqual([1, 2, 3]);
});
