import { expect, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import { remember } from './remember.ts';

const stores = useStores();

it('a fact that is too long for an answer does not hide those that rank below it', async () => {
  const long = `Alice likes her red boat. ${'Alice likes her red boat very much. '.repeat(700)}`;
  const opened = await stores.open();
  await opened.apply(await createLogWriter().batch('boats', null, long, 'Alice likes a boat with sails.'));
  const deps = { ...(await opened.readable()), embeddings: stores.embeddings, lexical: stores.lexical };
  const question = { space: 'public', agentId: 'alice', query: 'Which red boat does Alice like?', thinkingBudget: 100 };
  const { world } = await remember(deps, question, '2026-02-01T12:00:00Z', AbortSignal.timeout(60_000));
  expect(world.map(({ fact }) => fact.text)).toEqual(['Alice likes a boat with sails.']);
});
