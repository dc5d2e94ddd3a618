import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestStack } from '@mneme/local-stack/testing';
import { expect, it, onTestFinished } from 'vitest';
import { connectMongo } from './connect-mongo.ts';
import { replacedSet } from './replaced-set.ts';

it.skipIf(process.env.MNEME_TEST_STACK === 'containers')(
  'a replica set that comes back empty is told from one that elects its primary again',
  async () => {
    const stack = await startTestStack({ servers: ['mongod'] });
    onTestFinished(() => stack.stop());
    const { mongod } = stack.servers;
    const url = new URL(stack.mongodbUrl);
    // The driver counts elections only of sets that it looks for members of.
    url.searchParams.delete('directConnection');
    const client = await connectMongo(url.href);
    onTestFinished(() => client.close());
    const ping = () => client.db().command({ ping: 1 });
    let replaced = 0;
    void replacedSet(client, 3_000).then(() => (replaced += 1));

    await mongod.restart();
    await expect.poll(ping, { timeout: 30_000 }).toMatchObject({ ok: 1 });
    await sleep(4_000);
    expect(replaced).toBe(0);

    await mongod.stop();
    await rm(join(mongod.folder ?? '', 'data'), { recursive: true });
    await mongod.start();
    await expect.poll(() => replaced, { timeout: 30_000 }).toBe(1);
    // What the process ends for: this client finds no primary any more, and a new one does.
    await expect(ping()).rejects.toThrow('stale');
    const next = await connectMongo(url.href);
    await next.close();
  },
);
