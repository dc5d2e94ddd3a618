import { expect, it } from 'vitest';
import { Mneme, MnemeError } from '../index.ts';
import { scriptedFetch } from '../testing/scripted-fetch.ts';
import { ExactNumber, parseExactly } from './exact-number.ts';

const payload = '{"id": 9007199254740993, "price": 1.10, "e": 1e400, "minus": -0, "n": 7, "list": [1.0, 2.5, "1.0"]}';
const values = {
  id: new ExactNumber('9007199254740993'),
  price: new ExactNumber('1.10'),
  e: new ExactNumber('1e400'),
  minus: new ExactNumber('-0'),
  n: 7,
  list: [new ExactNumber('1.0'), 2.5, '1.0'],
};

it('numbers keep the text that JavaScript numbers would change, and are written with it', () => {
  const read = parseExactly(payload);
  expect(read).toEqual(values);
  expect(JSON.stringify(read)).toBe(payload.replaceAll(/(?<=[:,]) /g, ''));
  expect(Number(values.price)).toBe(1.1);
  expect(`${values.price}`).toBe('1.10');
});

it('rows have them where a program asks for them, and numbers otherwise', async () => {
  const script = scriptedFetch(new Response(`{"rows": [{"id": 1, "values": ${payload}}], "total": 1}`));
  const { tables } = new Mneme({ fetch: script.fetch });
  const exact = { rows: [{ id: 1, values }], total: 1 };
  expect(await tables.rowPage(4, { exactNumbers: true })).toEqual(exact);
  expect(await tables.rows(4, { exactNumbers: true }).all()).toEqual(exact.rows);
  expect(await tables.rowPage(4)).toEqual(JSON.parse(`{"rows": [{"id": 1, "values": ${payload}}], "total": 1}`));
  expect(script.sent.map(({ url }) => new URL(url).search)).toEqual(['', '?limit=100&offset=0', '']);
});

it('a test delivery is sent as it is written, if it is JSON', async () => {
  const bodies: unknown[] = [];
  const send: typeof fetch = async (_input, init) => {
    bodies.push(init?.body);
    return new Response('{"message": "Test delivery received"}');
  };
  const { webhooks } = new Mneme({ fetch: send });
  await webhooks.testJson(3, payload);
  expect(bodies).toEqual([`{"payload":${payload}}`]);
  for (const json of ['', '1,"x":2', '{']) {
    const refusal = await webhooks.testJson(3, json).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MnemeError);
    expect(refusal).toMatchObject({ status: 0, code: 'INVALID_REQUEST' });
  }
  expect(bodies).toHaveLength(1);
});
