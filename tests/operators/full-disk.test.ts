import { atFullLength } from '@mneme/local-stack/testing';
import { MongoClient } from 'mongodb';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { mneme } from '../system/mneme-command.ts';
import { newPerson } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each', services: ['keys', 'gateway'] });
  return system.stop;
});

test.runIf(atFullLength)(
  'a rebuild for which a store has no room says so, and goes on when there is room',
  async () => {
    await newPerson(system.http);
    const mongo = await new MongoClient(system.stack.mongodbUrl).connect();
    onTestFinished(() => mongo.close());
    const requireSpace = (mib: number) =>
      mongo.db('admin').command({ setParameter: 1, indexBuildMinAvailableDiskSpaceMB: mib });
    const { was: usual } = await requireSpace(1024 * 1024);
    onTestFinished(async () => void (await requireSpace(usual)));
    const { code, output } = await mneme(system, 'rebuild', 'keys');
    expect(code).toBe(1);
    expect(output).toMatch(
      /^The rebuild of keys is not done\. The rebuild waits, .*: access@2 cannot be made .* MongoDB: available disk space of/m,
    );
    const unmade = /^keys\taccess@2\tfailed\t0\/\d+\t.*MongoDB: available disk space of \d+ bytes/m;
    expect((await mneme(system, 'read-models')).output).toMatch(unmade);
    await system.restartServices();
    await newPerson(system.http);
    await requireSpace(usual);
    await expect
      .poll(async () => (await mneme(system, 'read-models')).output, { timeout: 60_000 })
      .toMatch(/^keys\taccess@2\tlive/m);
  },
);
