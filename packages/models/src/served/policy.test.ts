import { yieldToEventLoop } from '@mneme/workers/time-slices';
import { expect, test } from 'vitest';
import { connectModels, startModelServer } from '../testing/index.ts';
import { item, question, tasks } from '../testing/sample-tasks.ts';

test('of the requests that wait, those of questions go first, then answers, batches and what no one waits for', async () => {
  const server = await startModelServer();
  const models = await connectModels(server, { LLM_CONCURRENCY: '1', EMBEDDING_DIMENSIONS: '8' });
  expect(models.extractor.itemsAtOnce).toBe(1);
  server.replies.next('think', { fault: 'stall' });
  server.replies.next('embed', { fault: 'stall' });
  const abort = new AbortController();
  const { embeddings, extractor } = models;
  const stalled = [models.thinker.think(question, abort.signal), embeddings.embed(['stalled'], abort.signal)];
  await expect.poll(() => server.calls()).toBe(2);
  const waiting = [
    embeddings.embed(['unawaited'], undefined, 'background'),
    embeddings.embed(['batch']),
    tasks.revise(models),
    ...Array.from({ length: 3 }, () => extractor.extract(item)),
    tasks.think(models),
    tasks.opinions(models),
    tasks.background(models),
    embeddings.embed(['question'], undefined, 'question'),
  ];
  await yieldToEventLoop();
  abort.abort(new Error('enough'));
  for (const each of stalled) await expect(each).rejects.toThrow('enough');
  await Promise.all(waiting);
  const [embedded, asked] = [true, false].map((isEmbed) =>
    server.requests.filter(({ task }) => (task === 'embed') === isEmbed),
  );
  expect(embedded?.flatMap(({ body }) => body.input)).toEqual(['stalled', 'question', 'batch', 'unawaited']);
  expect(asked?.map(({ task }) => task)).toEqual([
    'think',
    ...['think', 'opinions', 'background'],
    ...['extract', 'extract', 'extract'],
    'revise',
  ]);
  await server.stop();
});

test('a model that hangs keeps no request from another model', async () => {
  const server = await startModelServer();
  const models = await connectModels(server, {
    LLM_CONCURRENCY: '1',
    LLM_MODEL_EXTRACT: 'openai:hanging',
    EMBEDDING_DIMENSIONS: '8',
  });
  server.replies.always('extract', { fault: 'stall' });
  const abort = new AbortController();
  const hanging = Promise.allSettled([1, 2].map(() => models.extractor.extract(item, abort.signal)));
  await expect.poll(() => server.calls('extract')).toBe(1);
  await models.embeddings.embed(['question'], undefined, 'question');
  await models.thinker.think(question);
  abort.abort();
  await hanging;
  expect(server.calls('extract')).toBe(1);
  await server.stop();
});
