import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { createTableWebhook, deliver } from '../system/deliveries.ts';
import { newPerson } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
beforeAll(async () => {
  system = await shareSystem();
  return system.release;
});

/** The longest that the event loop has kept work waiting since this was last asked, in seconds. */
async function longestStall(): Promise<number> {
  const { body } = await system.http.get<string>('/metrics');
  return Number(/^mneme_event_loop_delay_seconds\{quantile="max"\} (\S+)$/m.exec(body)?.[1]);
}

const json = { 'content-type': 'application/json' };
const search = (body: string) => system.http.send('/api/search', { method: 'POST', headers: json, body });

test.each([
  ['a list of 2.5 million faulty items', `{"query":"x","fact_type":[${'1,'.repeat(2_500_000)}1]}`],
  ['2.5 million levels', `{"query":"x","deep":${'['.repeat(2_500_000)}${']'.repeat(2_500_000)}}`],
  ['300,000 members', `{"query":"x",${Array.from({ length: 300_000 }, (_, index) => `"${index}":1`).join()}}`],
])('%s are a short 422 at little cost', async (_name, body) => {
  await longestStall();
  const answer = await search(body);
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual([{ loc: ['body'], msg: expect.any(String), type: expect.any(String) }]);
  // Before there was a bound, these took from two seconds to a minute.
  expect(await longestStall()).toBeLessThan(1);
});

test('a long query string is 400, and no one else waits for it', async () => {
  await longestStall();
  const paths = Array.from({ length: 20 }, () => `/api/list?${'a&'.repeat(15_000)}`);
  const answers = await Promise.all(paths.map((path) => system.http.get(path)));
  for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  expect(await longestStall()).toBeLessThan(1);
});

/** In a text of this size, what reads it with rules once took seconds, or minutes. */
const bytes = scaled({ full: 5 * 2 ** 20 - 10_000, short: 100_000 });

const repeated = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const newNames = (length: number) => {
  let text = '';
  for (let index = 0; text.length < length; index += 1) text += `Ab${index.toString(36)} Cd${index.toString(36)} met. `;
  return text;
};

test.each<[string, string]>([
  ['letters without a space', repeated('a', bytes)],
  ['dates that have no end', repeated('June 7 May 2023 in April of 2022 or the 3rd ', bytes)],
  ...(atFullLength ? [['new names', newNames(bytes)] as [string, string]] : []),
  ['open brackets and quotes', repeated('("\'[', bytes)],
  ['sentences about favourites', repeated('my favorite ', bytes)],
])('a batch of %s holds up no one', async (_name, content) => {
  await longestStall();
  const answer = await system.http.post('/api/memories/batch', { agent_id: 'costly', items: [{ content }] });
  expect([200, 422, 503, 504]).toContain(answer.status);
  expect(await longestStall()).toBeLessThan(1);
});

test.each([
  ['of words and dates', `${'a '.repeat(1_000)}June 7 May 2023 in April of 2022 or in March 2021?`],
  ['of dates alone', repeated('June 7 May 2023 in April of 2022 ', 8_000)],
])('a question %s holds up no one', async (_name, query) => {
  await longestStall();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => search(JSON.stringify({ agent_id: 'costly', query }))),
  );
  for (const { status } of answers) expect(status).toBe(200);
  expect(await longestStall()).toBeLessThan(1);
});

test('a background that is slow to read holds up no one', async () => {
  await longestStall();
  for (const background of [`my favorite ${'a'.repeat(60_000)}`, 'I like tea.\n'.repeat(5_000)]) {
    const { status } = await system.http.put('/api/agents/costly', { background });
    expect([200, 422]).toContain(status);
  }
  expect(await longestStall()).toBeLessThan(1);
});

test('deliveries with tens of thousands of members hold up no one', async () => {
  const webhook = await createTableWebhook(await newPerson(system.http));
  const payload = `{${Array.from({ length: 90_000 }, (_, index) => `"m${index}":1`).join()}}`;
  await longestStall();
  const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(system.http, webhook, payload)));
  for (const { status } of answers) expect([200, 413, 422, 429]).toContain(status);
  expect(await longestStall()).toBeLessThan(1);
});
