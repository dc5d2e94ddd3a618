import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atFullLength, startTestStack } from '@mneme/local-stack/testing';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { processesIn } from '../system/processes-in.ts';
import { newDataDir, nothingRunsIn, startCommand } from '../system/start-command.ts';

const endsWithinMs = 20_000;

test('a signal in the middle of the start leaves nothing behind', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  await eventually('the first server runs', async () => (await processesIn(dataDir)).length > 0);
  await command.kill('SIGTERM');
  await nothingRunsIn(dataDir);
});

test('killed with -9 it leaves no servers and starts again from what they had; nor does `mneme start` leave it', async () => {
  const dataDir = await newDataDir();
  const command = startCommand(dataDir);
  const http = await command.ready();
  const items = [{ content: 'Alice moved to Lisbon.' }];
  expect((await http.post('/api/memories/batch', { agent_id: 'a', items })).status).toBe(200);
  await command.kill('SIGKILL');
  await nothingRunsIn(dataDir);

  const byCli = startCommand(dataDir, { byCli: true });
  const again = await byCli.ready();
  expect((await again.get('/api/list?agent_id=a')).body.total).toBe(1);
  // Ends when no process writes to what it printed to: not the command, and not the process that it has started.
  await byCli.kill('SIGKILL');
  await nothingRunsIn(dataDir, endsWithinMs);
  await expect(again.get('/healthz')).rejects.toThrow();
});

test.runIf(atFullLength)(
  '`mneme start` ends with 0 on SIGTERM: requests under way are answered or refused, what was accepted is kept',
  async () => {
    const dataDir = await newDataDir();
    const command = startCommand(dataDir, { byCli: true });
    const http = await command.ready();
    const submissions: Promise<{ status: number }>[] = [];
    const submit = () => {
      const items = [{ content: `Crate C${submissions.length} holds lemons.` }];
      return http.post('/api/memories/batch_async', { agent_id: 'a', items }).catch(() => ({ status: 0 }));
    };
    // No more than are processed in time on a busy machine, however long it takes to end.
    const submitting = setInterval(() => submissions.length < 300 && submissions.push(submit()), 5);
    await eventually('some are under way', () => submissions.length > 40);
    const exit = await command.kill('SIGTERM');
    clearInterval(submitting);
    expect(exit.code).toBe(0);
    expect(await processesIn(dataDir)).toEqual([]);
    expect((await readdir(dataDir)).filter((name) => name.endsWith('-url'))).toEqual([]);
    const accepted = (await Promise.all(submissions)).filter(({ status }) => status === 200).length;
    const second = startCommand(dataDir);
    const again = await second.ready();
    await expect
      .poll(async () => (await again.get('/api/operations/a')).body.operations, { timeout: 90_000 })
      .toEqual([]);
    expect(accepted).toBeGreaterThan(0);
    expect((await again.get('/api/list?agent_id=a')).body.total).toBeGreaterThanOrEqual(accepted);

    // Told to end under load, as when its terminal is closed, it ends within 20 s, and its servers in an orderly way.
    const stopLoad = await startLoad(again);
    const begin = performance.now();
    const ended = await second.kill('SIGHUP');
    const tookMs = performance.now() - begin;
    await stopLoad();
    expect(ended.code).toBe(0);
    expect(tookMs).toBeLessThan(endsWithinMs);
    expect(second.output()).not.toContain('did not stop within');
    expect(await readFile(join(dataDir, 'logs/mongod.log'), 'utf8')).toMatch(/"Shutting down","attr":{"exitCode":0}/);
    expect(await processesIn(dataDir)).toEqual([]);
  },
);

test.runIf(atFullLength)('a batch that is being read when it ends does not fail for it', async () => {
  const { settings, stop } = await startTestStack({ servers: ['nats', 'mongod', 'qdrant'] });
  onTestFinished(stop);
  const dataDir = await newDataDir();
  const command = startCommand(dataDir, { environment: settings });
  const http = await command.ready();
  const items = [{ content: 'Anna went to the market and bought three apples for her sister. '.repeat(45_000) }];
  const { body } = await http.post('/api/memories/batch_async', { agent_id: 'a', items });
  await eventually('it is being read', async () => {
    return (await http.get(`/api/operations/${body.operation_id}/status`)).body.status === 'processing';
  });
  expect((await command.kill('SIGTERM')).code).toBe(0);
  expect(await readFile(join(dataDir, 'logs/mneme.log'), 'utf8')).not.toContain('An event will be tried again');
});

/** Four agents that store and search all the time; resolves when there is work to do. */
async function startLoad(http: HttpClient): Promise<() => Promise<unknown>> {
  let isEnding = false;
  let answered = 0;
  const work = async (agent: number) => {
    for (let round = 0; !isEnding; round += 1) {
      const items = Array.from({ length: 40 }, (_, index) => ({ content: `Crate ${round}-${index} holds lemons.` }));
      const about = { agent_id: `a${agent}` };
      await Promise.allSettled([
        http.post('/api/memories/batch', { ...about, document_id: 'd', items }),
        http.post('/api/search', { ...about, query: 'Which crate holds lemons?' }),
      ]);
      answered += 1;
    }
  };
  const workers = Array.from({ length: 4 }, (_, agent) => work(agent));
  await eventually('it has work to do', () => answered > 4, 60_000);
  return () => {
    isEnding = true;
    return Promise.all(workers);
  };
}
