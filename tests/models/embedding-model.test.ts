import { startModelServer } from '@mneme/models/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { startNode } from '../system/node-process.ts';
import { newDataDir, startCommand } from '../system/start-command.ts';

test('memory is not served with another embedding model than it was made with', async () => {
  const model = await startModelServer();
  onTestFinished(() => model.stop());
  const served = { EMBEDDING_MODEL: 'openai:stand-in', EMBEDDING_BASE_URL: model.url };
  const dataDir = await newDataDir();
  const first = startCommand(dataDir);
  const http = await first.ready();
  expect(first.output()).toContain('embeddings by mneme-hash-512-v1');
  await http.post('/api/memories/batch', { agent_id: 'ana', items: [{ content: 'Ana lives in Lisbon.' }] });
  await first.kill('SIGTERM');

  const other = startCommand(dataDir, served);
  expect(await other.exited).toMatchObject({ code: 1 });
  expect(other.errors().trim()).toBe(
    'Mneme could not start. The stored memory was made with the embedding model mneme-hash-512-v1, not with ' +
      'openai:stand-in: start with mneme-hash-512-v1 again, or run `mneme reembed` with the new one to bring the memory over.',
  );

  const again = await startCommand(dataDir).ready();
  const { body } = await again.post('/api/search', { agent_id: 'ana', query: 'Where does Ana live?' });
  expect(body.results).toHaveLength(1);
});

test('`mneme reembed` brings the memory over, with a progress bar, and leaves the old vectors in place', async () => {
  const model = await startModelServer();
  onTestFinished(() => model.stop());
  const served = { EMBEDDING_MODEL: 'openai:stand-in', EMBEDDING_BASE_URL: model.url, EMBEDDING_DIMENSIONS: '64' };
  const dataDir = await newDataDir();
  const first = startCommand(dataDir);
  const before = await live(await first.ready());
  await first.kill('SIGTERM');

  const failed = mneme(
    ['reembed'],
    { ...served, EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MAX_RETRIES: '0' },
    dataDir,
  );
  expect(await failed.exited).toMatchObject({ code: 1 });
  expect(failed.errors()).toMatch(/The memory is as it was\. openai:stand-in/);

  const reembedding = mneme(['reembed'], served, dataDir);
  expect(await reembedding.exited).toMatchObject({ code: 0 });
  expect(reembedding.output()).toMatch(/Embedding with openai:stand-in@64 \[#{30}\] 100 %/);
  expect(reembedding.output()).toContain('The memory is for openai:stand-in@64 now');
  const again = mneme(['reembed'], served, dataDir);
  expect(await again.exited).toMatchObject({ code: 0 });
  expect(again.output()).toContain('Nothing was missing.');

  model.reset();
  const other = startCommand(dataDir, served);
  const http = await other.ready();
  expect(model.calls()).toBe(0);
  expect(await memories(http)).toEqual(before);
  const { body } = await http.post('/api/search', { agent_id: 'ana', query: 'Where does Ana live?' });
  expect(body.results[0].text).toBe('Ana lives in Lisbon.');
  expect(model.calls('embed')).toBe(1);
  await other.kill('SIGTERM');
  const refused = startCommand(dataDir);
  expect(await refused.exited).toMatchObject({ code: 1 });

  expect(await mneme(['reembed'], {}, dataDir).exited).toMatchObject({ code: 0 });
  expect(await memories(await startCommand(dataDir).ready())).toEqual(before);
});

/** Stores facts and an opinion. */
async function live(http: HttpClient): Promise<unknown> {
  const items = [{ content: 'Ana lives in Lisbon.' }, { content: 'I believe that Ana likes the sea.' }];
  await http.post('/api/memories/batch', { agent_id: 'ana', items });
  await http.post('/api/memories/batch', { agent_id: 'ana', items: [{ content: 'Bob repairs clocks in Vienna.' }] });
  return memories(http);
}

async function memories(http: HttpClient): Promise<unknown> {
  const { body } = await http.get('/api/list?agent_id=ana');
  expect(body.total).toBe(3);
  return body;
}

function mneme(parameters: readonly string[], settings: Readonly<Record<string, string>>, dataDir: string) {
  const environment = { DATA_DIR: dataDir, ...settings };
  const started = startNode({ entry: 'packages/cli/src/main.ts', parameters, environment });
  onTestFinished(async () => void (await started.kill()));
  return started;
}
