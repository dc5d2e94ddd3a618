import { beforeAll, expect, test } from 'vitest';
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
