import { yieldToEventLoop } from '@mneme/workers/time-slices';
import { expect, test } from 'vitest';
import { connectModels, startModelServer } from '../testing/index.ts';
import { item, question, tasks } from '../testing/sample-tasks.ts';

test('of the requests that wait, those of questions go first, then answers, batches and what no one waits for', async () => {
  const server = await startModelServer();
  const models = await connectModels(server, { LLM_CONCURRENCY: '1', EMBEDDING_DIMENSIONS: '8' });
  expect(models.extractor.itemsAtOnce).toBe(1);
  server.replies.next('think', { fault: 'stall' });
  const abort = new AbortController();
  const stalled = models.thinker.think(question, abort.signal);
  await expect.poll(() => server.calls()).toBe(1);
  const { embeddings, extractor } = models;
  const waiting = [
    embeddings.embed(['unawaited'], undefined, 'background'),
    tasks.revise(models),
    ...Array.from({ length: 3 }, () => extractor.extract(item)),
    tasks.think(models),
    tasks.opinions(models),
    tasks.background(models),
    embeddings.embed(['question'], undefined, 'question'),
  ];
  await yieldToEventLoop();
  abort.abort(new Error('enough'));
  await expect(stalled).rejects.toThrow('enough');
  await Promise.all(waiting);
  const order = server.requests.map(({ task, body }) => (task === 'embed' ? (body.input as string[])[0] : task));
  expect(order).toEqual([
    'think',
    'question',
    ...['think', 'opinions', 'background'],
    ...['extract', 'extract', 'extract'],
    ...['revise', 'unawaited'],
  ]);
  await server.stop();
});
