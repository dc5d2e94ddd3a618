import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { startNode } from '../system/node-process.ts';
import { newDataDir, startCommand } from '../system/start-command.ts';

const items = [{ content: 'Alice moved to Lisbon.' }];

test('nobody gets into the servers of a start without the credentials of its data folder', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  await command.ready();
  const address = (server: string) => new RegExp(`${server}: ready at (\\S+)`).exec(command.output())?.[1] ?? '';
  await expect(connect({ servers: address('nats'), reconnect: false })).rejects.toThrow(/authorization/i);
  const mongo = new MongoClient(address('mongod'));
  await expect(mongo.db('mneme_memory').collections()).rejects.toThrow(/requires authentication/);
  await mongo.close();
  const page = { headers: { origin: 'http://attacker.example' } };
  for (const path of ['/collections', '/telemetry', '/metrics', '/dashboard/']) {
    const reply = await fetch(`${address('qdrant')}${path}`, page);
    expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    expect([401, 403, 404]).toContain(reply.status);
  }
});

test('with them, memories are stored and found, and the commands reach the running system', async () => {
  const dataDir = await newDataDir();
  const http = await startCommand(dataDir).ready();
  expect((await http.post('/api/memories/batch', { agent_id: 'a', items })).status).toBe(200);
  const found = await http.post('/api/search', { agent_id: 'a', query: 'Where does Alice live?' });
  expect(found.body.results[0].text).toBe('Alice moved to Lisbon.');
  const environment = { DATA_DIR: dataDir };
  const byOldName = startNode({ entry: 'packages/cli/src/main.ts', parameters: ['parked'], environment });
  expect([(await byOldName.exited).code, byOldName.output()]).toEqual([0, 'There are no dead letters.\n']);
});

test('nothing of a start is readable by others, and no credential is printed or logged', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir, { LOG_LEVEL: 'debug' });
  const http = await command.ready();
  await http.post('/api/memories/batch', { agent_id: 'a', items });
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = [dataDir, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  const modes = await Promise.all(paths.map(modeOf));
  expect(paths.filter((_path, index) => ((modes[index] ?? 0) & 0o077) !== 0)).toEqual([]);
  const logs = await Promise.all((await readdir(join(dataDir, 'logs'))).map((name) => read(dataDir, 'logs', name)));
  for (const name of ['nats-password', 'mongod-password', 'qdrant-api-key', 'jwt-secret', 'secrets-key']) {
    const secret = (await read(dataDir, name)).trim();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(`${command.output()}${logs.join('')}`).not.toContain(secret);
  }
});

/** Servers remove files of theirs at any time. */
function modeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mode }) => mode,
    () => 0,
  );
}

function read(...path: string[]): Promise<string> {
  return readFile(join(...path), 'utf8');
}
