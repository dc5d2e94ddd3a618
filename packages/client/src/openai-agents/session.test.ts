import { expect, it } from 'vitest';
import type { Item } from '../agent.ts';
import { Mneme } from '../mneme.ts';
import { recordOf, recordsIn } from '../records.ts';
import { json, problem, scriptedFetch } from '../testing/scripted-fetch.ts';
import { MnemeSession } from './session.ts';

const user = (content: string) => ({ role: 'user', content }) as const;
const documentOf = (...items: readonly Item[]) =>
  json({ original_text: items.map(({ content }) => content).join('\n') });

/** A session whose server gives these responses. */
function sessionOf({ fetch }: ReturnType<typeof scriptedFetch>): MnemeSession {
  return new MnemeSession(new Mneme({ fetch }).agent('a'), { sessionId: 's' });
}

/** The items of a batch. */
function itemsIn(body: unknown): readonly Item[] {
  return (body as { readonly items: readonly Item[] }).items;
}

const carla = recordOf({ id: 'i1', item: user('Carla lives in Lisbon.') });
const done = json({ success: true });

it('an item that is popped is returned, also if the reply to the deletion of a memory was lost', async () => {
  const script = scriptedFetch(
    documentOf(carla),
    done,
    () => documentOf(carla, ...itemsIn(script.sent[1]?.body)),
    json({ results: [{ id: 'u1' }], trace: null }),
    new TypeError('fetch failed'),
    problem(404, { code: 'NOT_FOUND' }),
  );
  expect(await sessionOf(script).popItem()).toEqual(user('Carla lives in Lisbon.'));
  expect(script.sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST', 'DELETE', 'DELETE']);
});

it('all memories of an item that is popped are forgotten, also if they are more than one search finds', async () => {
  const found = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `u${index}` }));
  const script = scriptedFetch(
    documentOf(carla),
    done,
    () => documentOf(carla, ...itemsIn(script.sent[1]?.body)),
    json({ results: found(1_000), trace: null }),
    ...found(1_000).map(() => done),
    json({ results: found(2), trace: null }),
    done,
  );
  expect(await sessionOf(script).popItem()).toEqual(user('Carla lives in Lisbon.'));
  expect(script.sent.filter(({ method }) => method === 'DELETE')).toHaveLength(1_002);
  expect(script.sent.filter(({ url }) => url.endsWith('/api/search'))).toHaveLength(2);
});

it('nothing is popped from a session that another process has cleared and filled again', async () => {
  const others = ['Dan', 'Eva'].map((name) => recordOf({ id: name, item: user(`${name} lives in Rome.`) }));
  const script = scriptedFetch(documentOf(carla), done, documentOf(...others), json({ results: [], trace: null }));
  expect(await sessionOf(script).popItem()).toBeUndefined();
  expect(script.sent).toHaveLength(3);
});

it('many large items are added in batches that a server takes', async () => {
  const script = scriptedFetch(done);
  const items = Array.from({ length: 8 }, (_, index) => user(String(index).repeat(900_000)));
  await sessionOf(script).addItems([...items, user('a'), user('b')]);
  const sizes = script.sent.map(({ body }) => JSON.stringify(body).length);
  expect(Math.max(...sizes)).toBeLessThan(5 * 1_024 ** 2);
  const added = script.sent.flatMap(({ body }) => itemsIn(body)).map(({ content }) => content);
  expect(recordsIn(added.join('\n'))).toMatchObject([...items, user('a'), user('b')].map((item) => ({ item })));
  // Small ones still share a batch.
  expect(itemsIn(script.sent.at(-1)?.body).slice(-4)).toMatchObject([
    { content: 'a' },
    { extract: false },
    { content: 'b' },
    { extract: false },
  ]);
});
