import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Server } from '@mneme/local-stack';
import { systemCredential } from '@mneme/local-stack/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inOneFolder } from '../cluster/create-server.ts';
import { memberDefinition, primaryOf } from '../cluster/mongo-replica-set.ts';
import { eventually } from '../system/eventually.ts';

const run = promisify(execFile);
const mongosh = process.env.MNEME_MONGOSH ?? 'mongosh';
const script = join(import.meta.dirname, '../../deploy/mongodb/setup.js');
const secret = 'a'.repeat(64);
const changed = 'b'.repeat(64);
const key = systemCredential(secret).auth?.password ?? '';

describe.skipIf(!hasMongosh())('deploy/mongodb/setup.js (needs mongosh)', () => {
  const closing = new AsyncDisposableStack();
  let members: readonly Server[] = [];
  let addresses: readonly string[] = [];

  beforeAll(async () => {
    const create = await inOneFolder(closing);
    const names = ['mongod-0', 'mongod-1', 'mongod-2'];
    members = await Promise.all(names.map((name) => create({ name, definition: memberDefinition, secret })));
    await Promise.all(members.map((member) => member.start()));
    // The first has a name that the others do not share, as the pods have.
    addresses = members.map((member, index) => `${index === 0 ? 'localhost' : '127.0.0.1'}:${portOf(member)}`);
  });

  afterAll(() => closing.disposeAsync());

  /** Runs the script in a member as its startup probe does. @returns whether that one is ready */
  async function setUp(member: Server, password: string): Promise<boolean> {
    const environment = {
      MONGODB_KEY: key,
      MONGODB_PASSWORD: password,
      MONGODB_MEMBERS: addresses.join(),
      POD_NAME: member === members[0] ? 'localhost' : '127',
    };
    const parameters = ['--quiet', '--norc', '--port', portOf(member), script];
    const env = { ...process.env, HOME: join(member.folder ?? '', '..'), ...environment };
    try {
      await run(mongosh, parameters, { env, timeout: 20_000, killSignal: 'SIGKILL' });
      return true;
    } catch {
      return false;
    }
  }

  async function canLogIn(password: string): Promise<boolean> {
    const url = `mongodb://mneme:${password}@${addresses.join()}/?replicaSet=mneme&authSource=admin&w=majority`;
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
    try {
      await client.db('rows').collection<{ _id: string }>('of').insertOne({ _id: password });
      const rights = client.db('admin').command({ createUser: 'other', pwd: 'other', roles: ['root'] });
      await expect(rights).rejects.toMatchObject({ codeName: 'Unauthorized' });
      return true;
    } catch (error) {
      if ((error as { codeName?: string }).codeName !== 'AuthenticationFailed') throw error;
      return false;
    } finally {
      await client.close();
    }
  }

  it('makes one replica set and its user, started in all members at the same moment', async () => {
    const [, second] = members;
    // Two that did so at the same moment would each make a set of their own.
    expect(second && [await setUp(second, secret), await isInSet(second)]).toEqual([false, false]);
    const ready = async () => (await Promise.all(members.map((member) => setUp(member, secret)))).every(Boolean);
    await eventually('all members are ready', ready);
    expect(await canLogIn(secret)).toBe(true);
    expect(await ready()).toBe(true);
  });

  it('sets a new password from a member that is not the primary', async () => {
    const primary = await primaryOf(members);
    const other = members.find((member) => member !== primary);
    await eventually('it is ready', () => other && setUp(other, changed));
    expect([await canLogIn(secret), await canLogIn(changed)]).toEqual([false, true]);
  });
});

async function isInSet(member: Server): Promise<boolean> {
  const client = new MongoClient(`mongodb://127.0.0.1:${portOf(member)}/?directConnection=true`);
  const { setName } = await client.db('admin').command({ hello: 1 });
  await client.close();
  return setName !== undefined;
}

function portOf({ url }: Server): string {
  return new URL(url).port;
}

function hasMongosh(): boolean {
  try {
    execFileSync(mongosh, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
