import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { processesIn } from '../system/processes-in.ts';
import { newDataDir, nothingRunsIn, startCommand } from '../system/start-command.ts';

const endsWithinMs = 20_000;

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it and its servers within 20 s', async (signal) => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  const http = await command.ready();
  expect((await http.get('/readyz')).status).toBe(200);
  expect((await processesIn(dataDir)).length).toBeGreaterThanOrEqual(3);
  const begin = performance.now();
  const exit = await command.kill(signal);
  expect(exit.code).toBe(0);
  expect(performance.now() - begin).toBeLessThan(endsWithinMs);
  expect(await processesIn(dataDir)).toEqual([]);
});

test('a signal in the middle of the start leaves nothing behind', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  await eventually('the first server runs', async () => (await processesIn(dataDir)).length > 0);
  await command.kill('SIGTERM');
  await nothingRunsIn(dataDir);
});

test('killed with -9 it leaves no servers, and starts again from what they had', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  const http = await command.ready();
  const items = [{ content: 'Alice moved to Lisbon.' }];
  expect((await http.post('/api/memories/batch', { agent_id: 'a', items })).status).toBe(200);
  await command.kill('SIGKILL');
  await nothingRunsIn(dataDir);
  const again = await startCommand(dataDir).ready();
  expect((await again.get('/api/list?agent_id=a')).body.total).toBe(1);
});

test('requests under way when it is told to end are answered or refused, and what was accepted is kept', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  const http = await command.ready();
  const submissions: Promise<{ status: number }>[] = [];
  const submit = () => {
    const items = [{ content: `Crate C${submissions.length} holds lemons.` }];
    return http.post('/api/memories/batch_async', { agent_id: 'a', items }).catch(() => ({ status: 0 }));
  };
  const submitting = setInterval(() => submissions.push(submit()), 5);
  await eventually('some are under way', () => submissions.length > 40);
  const exit = await command.kill('SIGTERM');
  clearInterval(submitting);
  expect(exit.code).toBe(0);
  const accepted = (await Promise.all(submissions)).filter(({ status }) => status === 200).length;
  const again = await startCommand(dataDir).ready();
  await eventually(
    'everything is processed',
    async () => {
      return (await again.get('/api/operations/a')).body.operations.length === 0;
    },
    90_000,
  );
  expect(accepted).toBeGreaterThan(0);
  expect((await again.get('/api/list?agent_id=a')).body.total).toBeGreaterThanOrEqual(accepted);
});

test('told to end under load it ends within 20 s, and its servers in an orderly way', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  const http = await command.ready();
  let isEnding = false;
  let answered = 0;
  const work = async (agent: number) => {
    for (let round = 0; !isEnding; round += 1) {
      const items = Array.from({ length: 100 }, (_, index) => ({ content: `Crate ${round}-${index} holds lemons.` }));
      const about = { agent_id: `a${agent}` };
      await Promise.allSettled([
        http.post('/api/memories/batch', { ...about, document_id: 'd', items }),
        http.post('/api/search', { ...about, query: 'Which crate holds lemons?' }),
      ]);
      answered += 1;
    }
  };
  const workers = Array.from({ length: 8 }, (_, agent) => work(agent));
  await eventually('it has work to do', () => answered > 8, 60_000);
  const begin = performance.now();
  const exit = await command.kill('SIGTERM');
  const tookMs = performance.now() - begin;
  isEnding = true;
  await Promise.all(workers);
  expect(exit.code).toBe(0);
  expect(tookMs).toBeLessThan(endsWithinMs);
  expect(command.output()).not.toContain('it is killed');
  expect(await readFile(join(dataDir, 'logs/mongod.log'), 'utf8')).toMatch(/"Shutting down","attr":{"exitCode":0}/);
  expect(await processesIn(dataDir)).toEqual([]);
});
