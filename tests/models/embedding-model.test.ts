import { startModelServer } from '@mneme/models/testing';
import { expect, onTestFinished, test } from 'vitest';
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
