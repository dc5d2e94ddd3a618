import { beforeAll, describe, expect, test } from 'vitest';
import { modelsConfigSchema } from './config.ts';
import { createModels } from './create-models.ts';
import type { Models } from './models.ts';
import { entityTypes, factTypes } from './ports.ts';
import { revisionVerdicts, traitNames } from './reasoning-ports.ts';
import { connectModels } from './testing/index.ts';
import { item, neutralAgent, question, revision as sample, taskNames, tasks } from './testing/sample-tasks.ts';
import { useModelServer } from './testing/use-model-server.ts';

const opinion = { text: 'I think that tea is fine.', confidence: 0.5 };

const server = useModelServer();

const makers: Record<string, () => Promise<Models>> = {
  'built-in models': () => createModels(modelsConfigSchema.parse({})),
  'models on a server': () => connectModels(server),
};

describe.each(Object.keys(makers))('%s', (name) => {
  let models: Models;
  beforeAll(async () => {
    models = (await makers[name]?.()) ?? expect.unreachable();
  });

  test('facts have a text, a known type, a date in UTC, and entities of known types', async () => {
    const facts = await models.extractor.extract(item);
    expect(facts.length).toBeGreaterThan(0);
    for (const fact of facts) {
      expect(fact.text.trim()).not.toBe('');
      expect(factTypes).toContain(fact.factType);
      expect(fact.eventDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    const types = facts.flatMap(({ entities }) => entities.map(({ type }) => type));
    expect(types).not.toEqual([]);
    expect(types.filter((type) => !entityTypes.includes(type))).toEqual([]);
    expect(await models.extractor.extract({ ...item, content: ' ' })).toEqual([]);
  });

  test('vectors have the declared dimensions, and length 1', async () => {
    const vectors = await models.embeddings.embed(['Anna', '']);
    expect(vectors.map((vector) => vector.length)).toEqual([
      models.embeddings.dimensions,
      models.embeddings.dimensions,
    ]);
    expect(vectors.map((vector) => Math.hypot(...vector))).toEqual([expect.closeTo(1, 5), 0]);
  });

  test('an answer is text', async () => {
    expect((await models.thinker.think(question)).trim()).not.toBe('');
  });

  test('an answer without an opinion forms none', async () => {
    expect(
      await models.opinions.form({ query: 'q', answer: 'Anna lives in Rome.', agent: neutralAgent, knownOpinions: [] }),
    ).toEqual([]);
  });

  test('a revision keeps its confidence within bounds', async () => {
    const revision = await models.opinions.revise({
      ...sample,
      opinion,
      facts: [{ text: 'Tea is fine.', eventDate: null }],
    });
    expect(revisionVerdicts).toContain(revision.verdict);
    expect(revision.confidence).toBeGreaterThanOrEqual(0);
    expect(revision.confidence).toBeLessThanOrEqual(1);
  });

  test('a background is in the first person, and has the new beside the old', async () => {
    expect(await models.background.merge({ current: 'I have a cat.', addition: 'You are kind.' })).toBe(
      'I have a cat. I am kind.',
    );
  });

  test('traits are the five, each within bounds', async () => {
    const traits = await models.background.inferTraits('I am kind.');
    expect(Object.keys(traits).sort()).toEqual([...traitNames].sort());
    expect(Object.values(traits).every((value) => value >= 0 && value <= 1)).toBe(true);
  });

  test('every task has a name and a prompt version, and can be aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const running = [models.embeddings.embed(['a'], signal), ...taskNames.map((task) => tasks[task](models, signal))];
    for (const result of await Promise.allSettled(running))
      expect(result).toMatchObject({ reason: { message: 'enough' } });
    for (const { name: by } of [
      models.extractor,
      models.embeddings,
      models.thinker,
      models.opinions,
      models.background,
    ])
      expect(models.describe()).toContain(by);
    for (const { promptVersion } of [models.thinker, models.opinions, models.background])
      expect(promptVersion).toMatch(/^(?:none|[a-z]+\.v\d+)$/);
  });
});
