import type { UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { memoryServices } from '../system/service-process.ts';
import { dropReadModels } from '../system/stores/drop-read-models.ts';
import { type ModelSystem, oneOpinion, startModelSystem } from './model-system.ts';

const changed = 'I believe that Ana no longer enjoys boats.';

let fixture: ModelSystem;
beforeAll(async () => {
  fixture = await startModelSystem({
    processes: 'each',
    services: memoryServices,
    environment: { EMBEDDING_DIMENSIONS: '64' },
  });
  return fixture.stop;
});

test('a rebuild calls no model and gives the same memories, opinions and backgrounds', async () => {
  await liveALittle();
  const before = await everything();
  expect(before.units.items.map(({ text }) => text)).toContain(changed);
  const query = fixture.system.service('memory-query');
  await query.kill();
  await dropReadModels(fixture.system);
  fixture.model.reset();
  await query.start();
  await eventually('everything is there again', async () => {
    return JSON.stringify(await everything()) === JSON.stringify(before);
  }).catch(() => undefined);
  expect(await everything()).toEqual(before);
  expect(fixture.model.calls()).toBe(0);
});

async function liveALittle(): Promise<void> {
  const { model, system } = fixture;
  const stored = await system.http.post('/api/memories/batch', {
    agent_id: 'alice',
    items: [{ content: 'Ana loves boats and the sea.' }, { content: 'The assistant booked a boat for Ana.' }],
  });
  expect(stored.status).toBe(200);
  model.replies.next('opinions', oneOpinion('I believe that Ana enjoys boats.'));
  model.replies.always('revise', { json: { verdict: 'rewrite', text: changed, confidence: 0.7 } });
  await system.http.post('/api/think', { agent_id: 'alice', query: 'Would Ana like a boat trip?' });
  await system.http.post('/api/agents/alice/background', { content: 'You plan adventurous holidays.' });
  await system.http.post('/api/memories/batch', {
    agent_id: 'alice',
    document_id: 'diary',
    items: [{ content: 'Ana was sick on the boats this year.' }],
  });
  await eventually('the opinion is rewritten', async () => JSON.stringify(await everything()).includes(changed));
  const { body } = await system.http.get<UnitList>('/api/list?agent_id=alice&q=sick');
  const corrected = await system.http.patch(`/api/memory/${body.items[0]?.id}`, { text: 'Ana was well on the boats.' });
  expect(corrected.status).toBe(200);
}

async function everything() {
  const read = async <Body>(path: string) => (await fixture.system.http.get<Body>(path)).body;
  return {
    units: await read<UnitList>('/api/list?agent_id=alice'),
    stats: await read<object>('/api/stats/alice'),
    agents: await read<object>('/api/agents'),
    documents: await read<object>('/api/documents?agent_id=alice'),
  };
}
