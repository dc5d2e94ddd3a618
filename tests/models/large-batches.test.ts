import { randomUUID } from 'node:crypto';
import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { memoryServices } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { dropReadModels } from '../system/stores/drop-read-models.ts';
import { isAtRest, openEventLog } from '../system/stores/event-log.ts';

const agent_id = 'ana';
const sentences = [
  'Ana practises the violin every evening',
  'Ana had an apple for lunch',
  'The bridge over the river was closed for repairs',
  'A storm took the roof off the barn',
  'Ben repairs old clocks in his workshop',
];

let system: System;
beforeAll(async () => {
  system = await startSystem({
    processes: 'each',
    services: memoryServices,
    environment: { EMBEDDING_MODEL: 'builtin:minilm' },
  });
  return system.stop;
});

async function texts(query: string): Promise<string[]> {
  const { status, body } = await system.http.post('/api/search', { agent_id, query });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.results.map(({ text }: { text: string }) => text);
}

async function everything() {
  const { body: units } = await system.http.get(`/api/list?agent_id=${agent_id}&limit=1000`);
  const { body: stats } = await system.http.get(`/api/stats/${agent_id}`);
  const { body: graph } = await system.http.get(`/api/graph?agent_id=${agent_id}`);
  return { units, stats, graph };
}

test('facts of a large batch are found by their words at once, then by their meaning, and the same after a rebuild', async () => {
  const marks = Array.from({ length: 8 }, () => `q${randomUUID().slice(0, 6)}`);
  const items = marks.flatMap((mark) => sentences.map((sentence) => ({ content: `${sentence}, says ${mark}.` })));
  expect((await system.http.post('/api/memories/batch', { agent_id, items })).status).toBe(200);
  expect((await texts(`What does ${marks[7]} say?`))[0]).toContain(marks[7]);

  await eventually('they are found by their meaning', async () =>
    (await texts('Who is a violinist?'))[0]?.includes('violin'),
  );
  // One event has the vectors of all of them, so now none is missing.
  const before = await everything();

  const query = system.service('memory-query');
  await query.kill();
  await dropReadModels(system);
  await query.start();
  await eventually(
    'everything is there again',
    async () => JSON.stringify(await everything()) === JSON.stringify(before),
  ).catch(() => undefined);
  expect(await everything()).toEqual(before);
});

test.runIf(atFullLength)(
  'a document that is replaced while its vectors are missing is not embedded any more',
  async () => {
    const log = await openEventLog(system.stack.natsUrl);
    onTestFinished(() => log.close());
    const start = await log.head();
    const store = async (count: number, said: string) => {
      const contents = Array.from({ length: count }, (_, index) => `Crate number ${index} holds ${said}.`);
      const batch = { agent_id: 'trader', document_id: 'list', items: [{ content: contents.join(' ') }] };
      const { body } = await system.http.post('/api/memories/batch_async', batch);
      await eventually('it is stored', async () => {
        const status = await system.http.get(`/api/operations/${body.operation_id}/status`);
        return status.body.status === 'completed';
      });
      return body.operation_id;
    };
    const [replaced, last] = [await store(3_000, 'lemons'), await store(20, 'pears')];
    await eventually('what is left is embedded', () => isAtRest(system.stack.natsUrl));
    const events = await log.after(start);
    const count = (operation: string, type: 'FactsExtracted' | 'VectorsAdded', field: 'facts' | 'vectors') =>
      events
        .filter((event) => event.header('ce-type') === type)
        .map((event) => event.data<Readonly<Record<string, string | readonly unknown[]>>>())
        .flatMap((data) => (data.operationId === operation ? data[field] : [])).length;
    const facts = count(replaced, 'FactsExtracted', 'facts');
    expect(count(last, 'VectorsAdded', 'vectors')).toBe(count(last, 'FactsExtracted', 'facts'));
    expect(count(replaced, 'VectorsAdded', 'vectors')).toBeLessThan(facts / 2);
  },
);
