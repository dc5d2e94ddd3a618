import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { agentKey, defaultPersonality, type MemoryEventOf, memorySubjects } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { createHashedEmbeddings, ModelError, type OpinionFormer, type OpinionRevision } from '@mneme/models';
import type { Client } from '@mneme/service-kit';
import { expect, it, vi } from 'vitest';
import { useTestLog } from '../testing/test-log.ts';
import { AgentsWithoutOpinions, whenFactsExtracted } from './when-facts-extracted.ts';

const agent = { space: 'public', agentId: 'alice' };
const text = 'I believe that Ana likes boats.';
const eventDate = '2026-01-01T00:00:00.000Z';
const never = new AbortController().signal;
const clock = () => new Date('2026-12-01T08:00:00.000Z');

const log = useTestLog();

type Extracted = Recorded<MemoryEventOf<'FactsExtracted'>>;

/** A batch of facts as the handler receives it. */
async function extracted(
  ...facts: readonly { text: string; factType: 'world' | 'agent' | 'opinion'; eventDate?: string }[]
): Promise<Extracted> {
  const ref = { ...agent, operationId: randomUUID() };
  const subject = memorySubjects.operation(agent, ref.operationId);
  const recorded = facts.map((fact) => ({ eventDate, ...fact, entities: [], item: 0, vector: '' }));
  const by = { extractor: 'test', embeddingModel: 'test', part: 0, parts: 1, firstFact: 0, documentId: null };
  const event = { type: 'FactsExtracted', data: { ...ref, ...by, facts: recorded, contexts: {} } } as const;
  await log.store.append(subject, [event], 0, { correlationId: 'test' });
  return (await log.store.load(subject)).events[0] as Extracted;
}

/** A stand-in for memory-query: the first fact affects each of the opinions. */
function readModel(unitIds: readonly string[], confidence: number | null = 0.6) {
  const asked: unknown[] = [];
  const call = async (_endpoint: unknown, request: unknown) => {
    asked.push(request);
    const opinions = unitIds.map((unitId) => ({ unitId, text, confidence, eventDate, facts: [0] }));
    const agent = { personality: defaultPersonality, background: '' };
    return { agent, hasOpinions: opinions.length > 0, readAt: Number.MAX_SAFE_INTEGER, opinions };
  };
  return { client: { request: call, close: () => undefined } as unknown as Client, asked };
}

function handle(
  event: Extracted,
  client: Client,
  revise: OpinionFormer['revise'],
  agentsWithoutOpinions = new AgentsWithoutOpinions(),
) {
  const opinions: OpinionFormer = { name: 'test', promptVersion: 'v1', form: async () => [], revise };
  const models = { opinions, embeddings: createHashedEmbeddings() };
  return whenFactsExtracted({ store: log.store, client, models, clock, agentsWithoutOpinions }, event, never);
}

const historyOf = async (unitId: string) => (await log.store.load(memorySubjects.unit(agent, unitId))).events;
const says = (revision: OpinionRevision) => async () => revision;
const asksNone = () => Promise.reject(new Error('No model is to be called'));
const sick = { text: 'Ana was sick on the boat.', factType: 'world' } as const;

it('records what new facts make of an opinion, and why', async () => {
  const [unitId, event] = [randomUUID(), await extracted(sick)];
  await handle(event, readModel([unitId]).client, says({ verdict: 'lower', text, confidence: 0.4 }));
  const [revised] = await historyOf(unitId);
  expect(revised).toMatchObject({
    type: 'OpinionRevised',
    data: {
      verdict: 'lower',
      text,
      confidence: 0.4,
      vector: null,
      entities: null,
      because: event.id,
      promptVersion: 'v1',
    },
    causationId: event.id,
  });
});

it('gives a reworded opinion a new vector and new entities', async () => {
  const [unitId, event] = [randomUUID(), await extracted(sick)];
  const boats = { name: 'Boats', type: 'CONCEPT' } as const;
  const rewritten = {
    verdict: 'rewrite',
    text: 'I believe that Ana fears boats.',
    confidence: 0.7,
    entities: [boats],
  } as const;
  await handle(event, readModel([unitId]).client, says(rewritten));
  const [revised] = await historyOf(unitId);
  if (revised?.type !== 'OpinionRevised') throw new Error('Nothing was revised');
  expect(Buffer.from(revised.data.vector ?? '', 'base64').byteLength).toBe(512 * 4);
  expect(revised.data.entities).toEqual([boats]);
});

it('revises an opinion once for an event, however often it is delivered', async () => {
  const [unitId, event] = [randomUUID(), await extracted(sick)];
  const { client } = readModel([unitId]);
  await handle(event, client, says({ verdict: 'lower', text, confidence: 0.4 }));
  await handle(event, client, asksNone);
  expect(await historyOf(unitId)).toHaveLength(1);
});

it('starts from the last revision, also when the read model is behind', async () => {
  const unitId = randomUUID();
  const { client } = readModel([unitId], null);
  const held: unknown[] = [];
  const lower: OpinionFormer['revise'] = async ({ opinion }) => {
    held.push(opinion.confidence);
    return { verdict: 'lower', text, confidence: 0.3 };
  };
  for (const event of [await extracted(sick), await extracted(sick)]) await handle(event, client, lower);
  expect(held).toEqual([0.5, 0.3]);
});

it('tells the model when the facts, the opinion and the facts of its revisions were', async () => {
  const unitId = randomUUID();
  const { client } = readModel([unitId]);
  const given: unknown[] = [];
  const lower: OpinionFormer['revise'] = async ({ facts, formedAt, factsUntil, now }) => {
    given.push([facts, formedAt, factsUntil, now]);
    return { verdict: 'lower', text, confidence: 0.5 - 0.1 * given.length };
  };
  const dates = ['2026-11-01T10:00:00.000Z', '2015-03-01T10:00:00.000Z', '2026-11-20T10:00:00.000Z'];
  for (const date of dates) await handle(await extracted({ ...sick, eventDate: date }), client, lower);
  const now = clock().toISOString();
  const fact = (date: string | undefined) => [{ text: sick.text, eventDate: date }];
  expect(given).toEqual([
    [fact(dates[0]), eventDate, null, now],
    [fact(dates[1]), eventDate, dates[0], now],
    [fact(dates[2]), eventDate, dates[0], now],
  ]);
});

it('takes a fact about the future for one of the time at which it became known', async () => {
  const unitId = randomUUID();
  const { client } = readModel([unitId]);
  const given: unknown[] = [];
  const lower: OpinionFormer['revise'] = async ({ factsUntil }) => {
    given.push(factsUntil);
    return { verdict: 'lower', text, confidence: 0.5 - 0.1 * given.length };
  };
  const ahead = await extracted({ ...sick, eventDate: '2234-11-13T12:00:00.000Z' });
  await handle(ahead, client, lower);
  const [first] = await historyOf(unitId);
  if (first?.type !== 'OpinionRevised') throw new Error('Nothing was revised');
  expect(first.data.factsUntil).toBe(ahead.time);
  // As it was recorded before it was capped.
  const uncapped = { ...first.data, because: randomUUID(), factsUntil: '2234-11-13T12:00:00.000Z' };
  const event = { type: 'OpinionRevised', data: uncapped } as const;
  await log.store.append(memorySubjects.unit(agent, unitId), [event], 'any', { correlationId: 'test' });
  await handle(await extracted(sick), client, lower);
  const [, second] = await historyOf(unitId);
  expect(given).toEqual([null, second?.time]);
});

it.each([
  ['is to stay as it is', { verdict: 'keep', text, confidence: 0.6 }],
  ['ends up as it was', { verdict: 'raise', text, confidence: 0.6 }],
] as const)('appends nothing when an opinion %s', async (_why, revision) => {
  const unitId = randomUUID();
  await handle(await extracted(sick), readModel([unitId]).client, says(revision));
  expect(await historyOf(unitId)).toEqual([]);
});

it('does not revise opinions because of opinions', async () => {
  const { client, asked } = readModel([]);
  await handle(await extracted({ text, factType: 'opinion' }), client, asksNone);
  expect(asked).toEqual([]);
  const event = await extracted({ text, factType: 'opinion' }, { text: 'I rowed.', factType: 'agent' });
  await handle(event, client, asksNone);
  expect(asked).toMatchObject([{ facts: [{ text: 'I rowed.' }], minSequence: event.position.sequence }]);
});

it('retries when the model is unavailable, and revises the other opinions before it gives one up', async () => {
  const [refused, other] = [randomUUID(), randomUUID()];
  const { client } = readModel([refused, other]);
  const away = () => Promise.reject(new ModelError('unavailable', 'The server has failed'));
  await expect(handle(await extracted(sick), client, away)).rejects.toThrow('The server has failed');
  let calls = 0;
  const event = await extracted(sick);
  const given = handle(event, client, async () => {
    calls += 1;
    if (calls === 1) throw new ModelError('refused', 'The model refuses');
    return { verdict: 'raise', text, confidence: 0.8 };
  });
  await expect(given).rejects.toMatchObject({
    name: 'HopelessError',
    message: 'Opinions that cannot be weighed: 1. The model refuses',
  });
  expect([await historyOf(refused), await historyOf(other)].map(({ length }) => length)).toEqual([0, 1]);
});

it('does not query for facts from before the agent was known to have no opinions', async () => {
  const { client, asked } = readModel([]);
  const agentsWithoutOpinions = new AgentsWithoutOpinions();
  for (const event of [await extracted(sick), await extracted(sick)])
    await handle(event, client, asksNone, agentsWithoutOpinions);
  expect(asked).toHaveLength(1);
  const later = new AgentsWithoutOpinions();
  later.remember(agent, 0);
  await handle(await extracted(sick), client, asksNone, later);
  expect(asked).toHaveLength(2);
});

it('does not trust for long that an agent has no opinions, since positions come a second time in a restored log', async () => {
  const agents = new AgentsWithoutOpinions();
  agents.remember(agent, 500);
  const key = agentKey(agent);
  expect([agents.had(key, 320), agents.had(key, 501), agents.had(undefined, 1)]).toEqual([true, false, false]);
  const now = performance.now();
  await pause(5);
  using _ = vi.spyOn(performance, 'now').mockReturnValue(now + 5_001);
  expect(agents.had(key, 320)).toBe(false);
});
