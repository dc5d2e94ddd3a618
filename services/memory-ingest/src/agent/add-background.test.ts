import { randomUUID } from 'node:crypto';
import { defaultPersonality, memorySubjects } from '@mneme/contracts';
import type { BackgroundWriter } from '@mneme/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusalReply } from '../errors.ts';
import { createKeyedMutex } from '../models/keyed-mutex.ts';
import { requestContext, silent, startTestLog, type TestLog } from '../testing/test-log.ts';
import { addBackground } from './commands.ts';

const traits = { openness: 0.9, conscientiousness: 0.1, extraversion: 0.2, agreeableness: 0.3, neuroticism: 0.4 };

let log: TestLog;
beforeAll(async () => {
  log = await startTestLog();
});
afterAll(() => log?.stop());

/** Joins the texts; counts how often it was asked. */
function joiningWriter(change: Partial<BackgroundWriter> = {}) {
  const calls = { merge: 0, inferTraits: 0 };
  const writer: BackgroundWriter = {
    name: 'joining',
    promptVersion: 'test.v1',
    merge: async ({ current, addition }) => {
      calls.merge += 1;
      return `${current} ${addition}`.trim();
    },
    inferTraits: async () => {
      calls.inferTraits += 1;
      return traits;
    },
    ...change,
  };
  return { writer, calls };
}

const newAgent = () => ({ space: 'public', agentId: randomUUID() });

function add(writer: BackgroundWriter, addition: object, mutex = createKeyedMutex()) {
  const deps = { store: log.store, writer, mutex, clock: () => new Date(), logger: silent };
  const defaults = { ...newAgent(), content: 'I sail.', updatePersonality: true, mergeId: randomUUID() };
  return addBackground(deps, { ...defaults, ...addition }, requestContext());
}

const typesOf = async (agent: ReturnType<typeof newAgent>) =>
  (await log.store.load(memorySubjects.agent(agent))).events.map(({ type }) => type);

it('creates the agent, merges, and reads the personality out of the result', async () => {
  const agent = newAgent();
  const merged = await add(joiningWriter().writer, agent);
  expect(merged).toMatchObject({ background: 'I sail.', personality: { ...traits, bias_strength: 0.5 } });
  expect(await typesOf(agent)).toEqual(['AgentCreated', 'BackgroundMerged', 'PersonalityChanged']);
});

it('asks for no personality when it is to be kept', async () => {
  const { writer, calls } = joiningWriter();
  const merged = await add(writer, { updatePersonality: false });
  expect(merged.personality).toEqual(defaultPersonality);
  expect(calls).toEqual({ merge: 1, inferTraits: 0 });
});

it('holds the merge when no personality can be read out of it', async () => {
  const agent = newAgent();
  const { writer } = joiningWriter({ inferTraits: () => Promise.reject(new Error('The model is away')) });
  const merged = await add(writer, agent);
  expect(merged).toMatchObject({ background: 'I sail.', personality: defaultPersonality });
  expect(await typesOf(agent)).toEqual(['AgentCreated', 'BackgroundMerged']);
});

it('changes nothing when the merge fails', async () => {
  const agent = newAgent();
  const { writer } = joiningWriter({ merge: () => Promise.reject(new Error('The model is away')) });
  await expect(add(writer, agent)).rejects.toThrow('The model is away');
  expect(await typesOf(agent)).toEqual([]);
});

it('asks no model for a request that comes again', async () => {
  const agent = newAgent();
  const { writer, calls } = joiningWriter();
  const mergeId = randomUUID();
  const first = await add(writer, { ...agent, mergeId });
  const again = await add(writer, { ...agent, mergeId });
  expect([again.background, again.personality]).toEqual([first.background, first.personality]);
  expect(calls.merge).toBe(1);
});

it('loses nothing of additions at the same time, in one instance or several', async () => {
  const agent = newAgent();
  const { writer, calls } = joiningWriter();
  const oneInstance = createKeyedMutex();
  const contents = ['I sail.', 'I sing.', 'I cook.', 'I paint.'];
  await Promise.all(contents.slice(0, 3).map((content) => add(writer, { ...agent, content }, oneInstance)));
  expect(calls.merge).toBe(3);
  await Promise.all([
    add(writer, { ...agent, content: contents[3] }, oneInstance),
    add(writer, { ...agent, content: 'I dance.' }, createKeyedMutex()),
  ]);
  const { background } = await add(writer, { ...agent, content: ' ' });
  for (const content of [...contents, 'I dance.']) expect(background).toContain(content);
});

it('gives what a request has merged when it comes again, whatever was merged since', async () => {
  const agent = newAgent();
  const { writer, calls } = joiningWriter();
  const mergeId = randomUUID();
  const first = await add(writer, { ...agent, mergeId });
  await add(writer, { ...agent, content: 'I sing.' });
  const again = await add(writer, { ...agent, mergeId });
  expect([again.background, again.position?.startsWith('MEMORY:')]).toEqual([first.background, true]);
  expect(calls.merge).toBe(2);
});

it('refuses what makes a background too long, and keeps it as it was', async () => {
  const agent = newAgent();
  const { writer } = joiningWriter();
  await add(writer, { ...agent, content: 'é'.repeat(32 * 1024) });
  const tooLong = add(writer, { ...agent, content: 'x' });
  await expect(tooLong).rejects.toMatchObject({ code: 'background-too-large' });
  const refusal = refusalReply(await tooLong.catch((error: unknown) => error));
  expect(refusal).toMatchObject({ status: 422, code: 'UNPROCESSABLE' });
  expect((await typesOf(agent)).filter((type) => type === 'BackgroundMerged')).toHaveLength(1);
});
