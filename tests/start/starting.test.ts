import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { processesIn } from '../system/processes-in.ts';
import { newDataDir, startCommand } from '../system/start-command.ts';

const startsWithinMs = 15_000;
const items = [{ content: 'Alice moved to Lisbon.' }];

test('the first request is answered when the address is printed; started again, everything is there', async () => {
  const dataDir = await newDataDir();
  const first = startCommand(dataDir);
  const http = await first.ready();
  const stored = await http.post('/api/memories/batch', { agent_id: 'a', items });
  expect(stored.status).toBe(200);
  await first.kill('SIGINT');
  const begin = performance.now();
  const again = await startCommand(dataDir).ready();
  expect((await again.get('/api/list?agent_id=a')).body.total).toBe(1);
  expect(performance.now() - begin).toBeLessThan(startsWithinMs);
  const found = await again.post('/api/search', { agent_id: 'a', query: 'Where does Alice live?' });
  expect(found.body.results[0].text).toBe('Alice moved to Lisbon.');
});

test('what it prints says which models are in use, and has a request to copy', async () => {
  const command = startCommand(await newDataDir());
  const { url } = await command.ready();
  await command.printed(/Ctrl-C/);
  expect(command.output()).toMatch(/models:? /i);
  expect(command.output()).toContain(`curl -s ${url}/api/memories/batch`);
  expect(command.errors()).toBe('');
});

test('the same DATA_DIR twice is refused, and the first goes on', async () => {
  const dataDir = await newDataDir();
  const http = await startCommand(dataDir).ready();
  const second = startCommand(dataDir);
  const exit = await second.exited;
  expect(exit.code).toBeGreaterThan(0);
  expect(second.errors().trim().split('\n')).toHaveLength(1);
  expect(second.errors()).toContain(dataDir);
  expect(second.errors()).toContain('in use');
  expect((await http.post('/api/memories/batch', { agent_id: 'a', items })).status).toBe(200);
});

test('two with different folders run side by side and know nothing of each other', async () => {
  const [left, right] = await Promise.all([
    startCommand(await newDataDir()).ready(),
    startCommand(await newDataDir()).ready(),
  ]);
  expect(left.url).not.toBe(right.url);
  await left.post('/api/memories/batch', { agent_id: 'a', items });
  expect((await left.get('/api/list')).body.total).toBe(1);
  expect((await right.get('/api/list')).body.total).toBe(0);
});

test('a PORT in use is one clear sentence, and nothing is left running', async () => {
  const dataDir = await newDataDir();
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await eventually('the port is taken', () => taken.listening);
  const PORT = String((taken.address() as AddressInfo).port);
  const command = startCommand(dataDir, { PORT });
  expect((await command.exited).code).toBeGreaterThan(0);
  expect(command.errors().trim()).toMatch(new RegExp(`^[^\\n]*:${PORT} is in use[^\\n]*$`));
  expect(await processesIn(dataDir)).toEqual([]);
});

test('bad settings are one clear sentence that names all of them, before anything is started', async () => {
  const dataDir = await newDataDir();
  const settings = {
    PORT: '70000',
    NATS_URL: 'not an address',
    MONGODB_URL: 'postgres://somewhere',
    QDRANT_URL: 'somewhere',
    LOG_LEVEL: 'loud',
    MEMORY_AUTH: 'maybe',
    SYNC_TIMEOUT_MS: '1e3',
  };
  const command = startCommand(dataDir, settings);
  expect((await command.exited).code).toBeGreaterThan(0);
  expect(command.errors().trim().split('\n')).toHaveLength(1);
  for (const name of Object.keys(settings)) expect(command.errors()).toContain(`${name}:`);
  expect(await processesIn(dataDir)).toEqual([]);
});

test('a server that dies is brought back, and requests are answered again', async () => {
  const dataDir = await newDataDir();
  const http = await startCommand(dataDir).ready();
  await http.post('/api/memories/batch', { agent_id: 'a', items });
  for (const server of ['nats', 'mongod', 'qdrant']) {
    for (const pid of await processesIn(`${dataDir}/${server}`)) process.kill(pid, 'SIGKILL');
    await eventually(`a batch is stored after ${server} was killed`, async () => {
      return (await http.post('/api/memories/batch', { agent_id: server, items })).status === 200;
    });
  }
  expect((await http.get('/api/list?agent_id=a')).body.total).toBe(1);
});
