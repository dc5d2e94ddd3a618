import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  agentKey,
  defaultPersonality,
  type MemoryEvent,
  memoryQuery,
  memoryStream,
  memorySubjects,
} from '@mneme/contracts';
import { openEraser } from '@mneme/event-store';
import { createHashedEmbeddings, type OpinionFormer } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { createStoreFor } from '../agent/store-for.ts';
import { requestContext, silent, useMemoryQuery, useTestLog } from '../testing/test-log.ts';
import { recordThought, type Thought } from './commands.ts';

const opinion = { text: 'I believe that Ana likes boats.', confidence: 0.8, entities: [] };

const log = useTestLog();

/** An opinion that the agent holds, and the search has not found. */
const held = 'I believe that Ana swims.';
const query = useMemoryQuery(log, (service) => {
  service.serve(memoryQuery.heldOpinions, async ({ agentId, texts }) => {
    if (agentId === 'slow') await pause(3_000);
    return { texts: texts.filter((text) => agentId === 'alice' && text === held) };
  });
});

function former(form: OpinionFormer['form'] = async () => [opinion]) {
  let calls = 0;
  const opinions: OpinionFormer = {
    name: 'test',
    promptVersion: 'test.v1',
    form: (...input) => {
      calls += 1;
      return form(...input);
    },
    revise: () => Promise.reject(new Error('Nothing is to be revised')),
  };
  return { opinions, calls: () => calls };
}

const thought = (thoughtId: string, answer = 'I think that she would.'): Thought => ({
  space: 'public',
  agentId: 'alice',
  thoughtId,
  query: 'Would Ana like a boat trip?',
  answer,
  basedOn: ['unit-1'],
  knownOpinions: [],
  thinker: 'test',
  promptVersion: 'test.v1',
  agent: { personality: defaultPersonality, background: '' },
  readAt: 0,
});

function record(opinions: OpinionFormer, recorded: Thought, context = requestContext(), store = log.store) {
  const models = { opinions, embeddings: createHashedEmbeddings() };
  return recordThought(
    { store, client: query.client, models, clock: () => new Date(), logger: silent },
    recorded,
    context,
  );
}

const eventsOf = async (thoughtId: string) =>
  (await log.store.load(memorySubjects.thought({ space: 'public', agentId: 'alice' }, thoughtId))).events;

it('records an answer and its opinions, with vectors, at once', async () => {
  const id = randomUUID();
  const { newOpinions, position } = await record(former().opinions, thought(id));
  expect(newOpinions).toEqual([opinion.text]);
  const events = await eventsOf(id);
  expect(events.map(({ type }) => type)).toEqual(['QuestionAnswered', 'OpinionsFormed']);
  expect(events.map(({ data }) => data)).toEqual([
    expect.objectContaining({ readAt: 0 }),
    expect.objectContaining({ readAt: 0 }),
  ]);
  expect(position).toBe(`MEMORY:${events.at(-1)?.position.sequence}`);
  const formed = events.at(-1);
  if (formed?.type !== 'OpinionsFormed') throw new Error('There are no opinions');
  expect(Buffer.from(formed.data.opinions[0]?.vector ?? '', 'base64').byteLength).toBe(512 * 4);
});

it('answers a resent request with the recorded thought, and calls no model', async () => {
  const id = randomUUID();
  const { opinions, calls } = former();
  const first = await record(opinions, thought(id));
  const again = await record(opinions, thought(id, 'I have thought again.'));
  expect(again).toEqual(first);
  expect(calls()).toBe(1);
});

it('lets one of two runs of the same request win', async () => {
  const id = randomUUID();
  const { opinions } = former();
  const [one, other] = await Promise.all([record(opinions, thought(id)), record(opinions, thought(id, 'Other.'))]);
  expect(other).toEqual(one);
  expect(await eventsOf(id)).toHaveLength(2);
});

it('records the answer alone when it holds no opinions', async () => {
  const id = randomUUID();
  expect((await record(former(async () => []).opinions, thought(id))).newOpinions).toEqual([]);
  expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['QuestionAnswered']);
});

it('does not record an opinion again that the agent holds, although it was not among the known ones', async () => {
  const id = randomUUID();
  const { opinions } = former(async () => [{ ...opinion, text: held }, opinion]);
  expect((await record(opinions, thought(id))).newOpinions).toEqual([opinion.text]);
  const alone = randomUUID();
  expect((await record(former(async () => [{ ...opinion, text: held }]).opinions, thought(alone))).newOpinions).toEqual(
    [],
  );
  expect((await eventsOf(alone)).map(({ type }) => type)).toEqual(['QuestionAnswered']);
});

it('records opinions although the read model does not say in time whether they are held', async () => {
  const context = { ...requestContext(), deadline: Date.now() + 3_600 };
  const slow = { ...thought(randomUUID()), agentId: 'slow' };
  expect((await record(former().opinions, slow, context)).newOpinions).toEqual([opinion.text]);
});

const failing: OpinionFormer['form'] = () => Promise.reject(new Error('The model is away'));
const stalled: OpinionFormer['form'] = (_input, signal) =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

it.each([
  ['fail', failing],
  ['take too long', stalled],
])('records the answer alone when opinions %s', async (_how, form) => {
  const id = randomUUID();
  const context = { ...requestContext(), deadline: Date.now() + 3_200 };
  expect((await record(former(form).opinions, thought(id), context)).newOpinions).toEqual([]);
  expect(await eventsOf(id)).toHaveLength(1);
});

it('records nothing when the caller has stopped waiting', async () => {
  const id = randomUUID();
  const signal = AbortSignal.abort(new Error('The caller has gone'));
  await expect(record(former(failing).opinions, thought(id), requestContext(signal))).rejects.toThrow(
    'The caller has gone',
  );
  expect(await eventsOf(id)).toHaveLength(0);
});

describe('the agent of a thought', () => {
  const newAgent = () => ({ space: 'public', agentId: randomUUID() });

  it('is created before its first thought, once', async () => {
    const agent = newAgent();
    const { opinions } = former();
    const { position } = await record(opinions, { ...thought(randomUUID()), ...agent });
    await record(opinions, { ...thought(randomUUID()), ...agent });
    const [created, ...others] = (await log.store.load(memorySubjects.agent(agent))).events;
    expect([created?.type, others]).toEqual(['AgentCreated', []]);
    // The thought is two events.
    expect(position).toBe(`MEMORY:${(created?.position.sequence ?? 0) + 2}`);
  });

  it('is not created again, and no model is called, if it was erased since its memories were read', async () => {
    const agent = newAgent();
    const readAt = await log.store.head();
    const erased: MemoryEvent = { type: 'AgentErased', data: { space: agent.space, agentKey: agentKey(agent) } };
    await log.store.append(memorySubjects.agent(agent), [erased], 'any', requestContext());
    const eraser = openEraser(log.connection, memoryStream.name);
    const guarded = createStoreFor({ store: log.store, eraser })(agent, readAt);
    const { opinions, calls } = former();
    const recording = record(opinions, { ...thought(randomUUID()), ...agent, readAt }, requestContext(), guarded);
    await expect(recording).rejects.toMatchObject({ code: 'agent-erased' });
    expect(await log.typesOf(memorySubjects.agent(agent))).toEqual(['AgentErased']);
    expect(calls()).toBe(0);
  });
});
