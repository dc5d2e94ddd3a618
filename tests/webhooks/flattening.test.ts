import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../access/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import {
  acknowledge,
  addedColumns,
  createTableWebhook,
  defaultColumns,
  logsOf,
  rowsOf,
  type TableWebhook,
  tableOf,
} from './deliveries.ts';

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
const newestValues = async () => (await rowsOf(ana, webhook.table_id))[0]?.values ?? {};
const newestLog = async () => (await logsOf(ana, webhook))[0];
const deep = (levels: number) => `${'{"a":'.repeat(levels - 1)}{"a":1}${'}'.repeat(levels - 1)}`;
const wide = (keys: number, prefix = 'k') =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, index) => [`${prefix}${index}`, index])));

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
  ];
  await send(`{${cases.map(([json], index) => `"k${index}":${json}`).join(',')}}`);
  expect(await added()).toEqual(cases.map(([, type], index) => `k${index}: ${type}`));
  const values = await newestValues();
  for (const [index, [json]] of cases.entries()) expect(values[`k${index}`] ?? null, json).toEqual(JSON.parse(json));
});

test('the first value that is seen decides: null is text, and stays text when a number comes', async () => {
  await send('{"n":null}');
  await send('{"n":5}');
  expect(await added()).toEqual(['n: text']);
  expect((await rowsOf(ana, webhook.table_id)).map(({ values }) => values.n ?? null)).toEqual([5, null]);
});

test('objects become columns of their own, arrays and what is in them stay values, empty objects are nothing', async () => {
  await send('{"a":{"b":{"c":1},"d":[{"e":2}]},"empty":{},"f":{"g":{}},"list":[{"x":{"y":1}}]}');
  expect(await added()).toEqual(['a_b_c: number', 'a_d: multiselect', 'list: multiselect']);
  expect(await newestValues()).toMatchObject({ a_b_c: 1, a_d: [{ e: 2 }], list: [{ x: { y: 1 } }] });
});

test.each(['null', 'true', '5', '"text"', '""', '[]', '[{"a":1}]', '{}', ' { } '])(
  'a payload without fields makes a row with the default columns only: %s',
  async (payload) => {
    await send(payload);
    expect((await tableOf(ana, webhook.table_id)).columns.map(({ column_name }) => column_name)).toEqual(
      defaultColumns,
    );
    const values = await newestValues();
    expect(values).toMatchObject({ source_ip: '127.0.0.1', raw_payload: payload });
    expect(Object.keys(values)).toEqual(defaultColumns);
    expect(await newestLog()).toMatchObject({ status: 'processed', payload });
  },
);

test('columns follow those that there are, in the order in which they were first seen', async () => {
  await send('{"z":1,"b":{"y":2,"a":3}}');
  await send('{"a":"new","z":1,"c":null}');
  const { columns } = await tableOf(ana, webhook.table_id);
  const names = [...defaultColumns, 'z', 'b_y', 'b_a', 'a', 'c'];
  expect(columns.map(({ column_name }) => column_name)).toEqual(names);
  const indexes = columns.map(({ order_index }) => order_index);
  expect(indexes).toEqual(indexes.toSorted((left, right) => left - right));
  expect(new Set(indexes).size).toBe(names.length);
  expect(columns.slice(0, 3).map(({ type }) => type)).toEqual(['datetime', 'text', 'longtext']);
  expect(columns.find(({ column_name }) => column_name === 'b_y')?.display_name).toBe('b_y');
});

describe('two keys that meet in one column', () => {
  test.each([
    ['{"A-B":1,"a b":"two","a_b":true}', 'A-B', 'number', true],
    ['{"a":{"b":1},"a_b":2}', 'a_b', 'number', 2],
    ['{"a_b":"2","a":{"b":1}}', 'a_b', 'text', 1],
    ['{"a":1,"A":"2"}', 'a', 'number', '2'],
    ['{"É":1,"ß":2,"":3}', 'É', 'number', 3],
  ])('the first names and types it, the last one is the value: %s', async (payload, displayName, type, value) => {
    await send(payload);
    const [column, ...others] = (await tableOf(ana, webhook.table_id)).columns.slice(3);
    expect(others).toEqual([]);
    expect(column).toMatchObject({ display_name: displayName, type });
    expect((await newestValues())[column?.column_name ?? '']).toEqual(value);
    expect((await newestLog())?.status).toBe('processed');
  });

  test('of a key that comes twice, the last value counts', async () => {
    await send('{"a":1,"b":0,"a":2}');
    expect(await newestValues()).toMatchObject({ a: 2, b: 0 });
  });
});

test.each([
  ['{"received_at":"yesterday","source_ip":7,"raw_payload":[1]}'],
  ['{"Received At":"yesterday","source":{"ip":7},"RAW-PAYLOAD":[1]}'],
])('a key that maps to a reserved name overwrites its value and adds no column: %s', async (payload) => {
  await send(payload);
  expect(await added()).toEqual([]);
  expect(await newestValues()).toEqual({ received_at: 'yesterday', source_ip: 7, raw_payload: [1] });
  expect(await newestLog()).toMatchObject({ payload, source_ip: '127.0.0.1' });
});

test('every odd key is a column like any other', async () => {
  const cases: [json: string, column: string][] = [
    ['"é"', '_'],
    ['"日本"', '__'],
    ['"9lives"', '9lives'],
    ['"__proto__"', '__proto__'],
    ['"constructor"', 'constructor'],
    ['"toString"', 'tostring'],
    ['"hasOwnProperty"', 'hasownproperty'],
    ['"then"', 'then'],
    ['"$gt"', '_gt'],
    ['"a.b"', 'a_b'],
    ['"_id"', '_id'],
    ['"id"', 'id'],
    ['"x\\u0000y"', 'x_y'],
    ['"s\\ud800"', 's_'],
    ['"values"', 'values'],
    ['"length"', 'length'],
    ['"\\u0074ab"', 'tab'],
    ['"new\\nline"', 'new_line'],
  ];
  await send(`{${cases.map(([json], index) => `${json}:${index}`).join(',')}}`);
  const { columns } = await tableOf(ana, webhook.table_id);
  expect(columns.slice(3).map(({ column_name }) => column_name)).toEqual(cases.map(([, name]) => name));
  const values = await newestValues();
  for (const [index, [json, name]] of cases.entries()) {
    expect(Object.getOwnPropertyDescriptor(values, name)?.value, json).toBe(index);
  }
  expect(columns.find(({ column_name }) => column_name === 'tostring')?.display_name).toBe('toString');
  expect(columns.find(({ column_name }) => column_name === '__')?.display_name).toBe('日本');
});

test('an empty key is called _, also within an object', async () => {
  await send('{"":1,"a":{"":2}}');
  expect(await added()).toEqual(['_: number', 'a_: number']);
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

test('a NUL and half a character in a value come back as they were sent', async () => {
  await send('{"nul":"a\\u0000b","half":"\\ud800","list":["\\udc00\\u0000"]}');
  expect(await newestValues()).toMatchObject({ nul: 'a\0b', half: '\ud800', list: ['\udc00\0'] });
});

test('a name over 255 characters is cut, and two long ones stay apart', async () => {
  const head = 'n'.repeat(300);
  await send(JSON.stringify({ [`${head}one`]: 1, [`${head}two`]: 2, ['m'.repeat(255)]: 3, [head]: { [head]: 4 } }));
  await send(JSON.stringify({ [`${head}two`]: 'again' }));
  const names = (await tableOf(ana, webhook.table_id)).columns.slice(3).map(({ column_name }) => column_name);
  expect(names.map(({ length }) => length)).toEqual([255, 255, 255, 255]);
  expect(new Set(names).size).toBe(4);
  expect(names[2]).toBe('m'.repeat(255));
  expect((await newestValues())[names[1] ?? '']).toBe('again');
});

describe('what a table cannot take is an error log, and nothing is lost', () => {
  test('100 levels are a row, 101 are not', async () => {
    await send(deep(100));
    expect(await added()).toHaveLength(1);
    for (const payload of [deep(101), `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, deep(5_000)]) {
      await send(payload);
      expect(await newestLog()).toMatchObject({ status: 'error', payload, processed_at: null });
      expect((await newestLog())?.error_message).toMatch(/100 levels/);
    }
    expect(await rowsOf(ana, webhook.table_id)).toHaveLength(1);
  });

  test('1000 columns are a table, 1001 are not, and deliveries that need no new one go on', async () => {
    await send(wide(997));
    expect((await tableOf(ana, webhook.table_id)).columns).toHaveLength(1_000);
    for (const payload of ['{"k1":5,"more":1}', wide(1_000, 'other')]) {
      await send(payload);
      expect(await newestLog()).toMatchObject({ status: 'error', payload });
      expect((await newestLog())?.error_message).toMatch(/1,?000 columns/);
    }
    await send('{"k1":5}');
    expect(await newestLog()).toMatchObject({ status: 'processed', error_message: null });
    const table = await tableOf(ana, webhook.table_id);
    expect([table.columns.length, table.row_count]).toEqual([1_000, 2]);
  });
});
