import { startTestStack } from '@mneme/local-stack/testing';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countBy, literalPattern, timedRead } from './mongo-queries.ts';

let stack: Awaited<ReturnType<typeof startTestStack>>;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod'] });
  client = await new MongoClient(stack.mongodbUrl).connect();
  db = client.db('mongo-queries');
});

afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const texts = [...ascii, '\u2028', '\ufeff', '🦉', 'a.c', 'abc', '[a-z]', '\\d', '\\Q.\\E', 'x{2}', 'xx', '(?i)'];

it('a literal pattern matches exactly the texts that contain its text, whatever characters that has', async () => {
  const rows = db.collection<{ readonly _id: string }>('texts');
  await rows.insertMany(texts.map((_id) => ({ _id })));
  for (const text of texts) {
    const found = await rows.find({ _id: { $regex: literalPattern(text) } }).toArray();
    expect(found.map(({ _id }) => _id).sort()).toEqual(texts.filter((each) => each.includes(text)).sort());
  }
});

it('counts rows by the values of a field, null and what a filter leaves out among them', async () => {
  interface Row {
    readonly colour: string | null;
    readonly isOld: boolean;
  }
  const rows = db.collection<Row>('rows');
  const colours = ['red', null, 'red', 'blue', null, null];
  await rows.insertMany([...colours.map((colour) => ({ colour, isOld: false })), { colour: 'green', isOld: true }]);
  expect(await countBy(rows, { isOld: false }, 'colour')).toEqual(
    new Map([
      ['red', 2],
      ['blue', 1],
      [null, 3],
    ]),
  );
  expect(await countBy(rows, { colour: 'yellow' }, 'colour')).toEqual(new Map());
});

it('a query that takes longer than its read is ended by MongoDB, and refused with what helps', async () => {
  const rows = db.collection('slow');
  await rows.insertMany(Array.from({ length: 100 }, () => ({})));
  const slow = () => timedRead(50)((time) => rows.find({ $where: 'sleep(20) || true' }, time).toArray());
  await expect(slow()).rejects.toMatchObject({
    status: 504,
    code: 'TIMEOUT',
    message: expect.stringContaining('agent_id'),
  });
});
