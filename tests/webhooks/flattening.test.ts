import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  acknowledge,
  addedColumns,
  createTableWebhook,
  logsOf,
  rowsOf,
  type TableWebhook,
  tableOf,
} from '../system/deliveries.ts';
import { newPerson, type Person } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';

let system: SharedSystem;
let ana: Person;
let webhook: TableWebhook;
beforeAll(async () => {
  system = await shareSystem();
  ana = await newPerson(system.http);
  return system.release;
});
beforeEach(async () => {
  webhook = await createTableWebhook(ana);
});

const send = (payload: string) => acknowledge(system.http, webhook, payload);
const added = () => addedColumns(ana, webhook.table_id);

test('each kind of value has its type, by the first rule of the list that fits', async () => {
  const cases: [json: string, type: string][] = [
    ['null', 'text'],
    ['true', 'checkbox'],
    ['false', 'checkbox'],
    ['0', 'number'],
    ['-1.5e3', 'number'],
    ['"2024-05-06"', 'date'],
    ['"2024-99-99x"', 'date'],
    ['"2024-05-06 http://a@b"', 'date'],
    ['"24-05-06"', 'text'],
    ['" 2024-05-06"', 'text'],
    ['"2024-5-06"', 'text'],
    ['"http://a@b"', 'url'],
    ['"https://"', 'url'],
    ['"http:/a"', 'text'],
    ['"HTTP://a"', 'text'],
    ['" https://a"', 'text'],
    ['"a@b"', 'email'],
    ['"@"', 'email'],
    [JSON.stringify(`a@b${'x'.repeat(297)}`), 'email'],
    [JSON.stringify(`https://${'x'.repeat(300)}`), 'url'],
    [JSON.stringify('x'.repeat(200)), 'text'],
    [JSON.stringify('x'.repeat(201)), 'longtext'],
    ['""', 'text'],
    ['[]', 'multiselect'],
    ['[{"a":1},{"b":[2]}]', 'multiselect'],
    ['["a","b"]', 'multiselect'],
    ['"true"', 'text'],
    ['"1"', 'text'],
    ['"a\\u0000b"', 'text'],
    ['"\\ud800"', 'text'],
  ];
  await send(`{${cases.map(([json], index) => `"k${index}":${json}`).join(',')}}`);
  const { columns } = await tableOf(ana, webhook.table_id);
  expect(columns.map(({ order_index }) => order_index)).toEqual(columns.map((_, index) => index));
  expect(await added()).toEqual(cases.map(([, type], index) => `k${index}: ${type}`));
  const [{ values = {} } = {}] = await rowsOf(ana, webhook.table_id);
  for (const [index, [json]] of cases.entries()) expect(values[`k${index}`] ?? null, json).toEqual(JSON.parse(json));
});

test.each(['{"__proto__":{"polluted":1,"toString":2}}', '{"\\u005f_proto__":{"polluted":1,"toString":2}}'])(
  'a prototype key is a plain name: %s',
  async (payload) => {
    await send(payload);
    await send('{"plain":1}');
    expect(await added()).toEqual(['__proto___polluted: number', '__proto___tostring: number', 'plain: number']);
    const [plain, odd] = await rowsOf(ana, webhook.table_id);
    expect(odd?.values).toMatchObject({ __proto___polluted: 1, __proto___tostring: 2 });
    expect(plain?.values.polluted).toBeUndefined();
  },
);

test('what a table cannot take is an error log, and nothing is lost', async () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  await send(deep(100));
  expect(await added()).toHaveLength(1);
  await send(deep(101));
  const [newest] = await logsOf(ana, webhook);
  expect(newest).toMatchObject({ status: 'error', payload: deep(101), processed_at: null });
  expect(newest?.error_message).toMatch(/100 levels/);
  expect(await rowsOf(ana, webhook.table_id)).toHaveLength(1);
});
