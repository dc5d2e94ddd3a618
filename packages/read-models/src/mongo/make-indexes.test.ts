import { MongoServerError } from 'mongodb';
import { expect, it, vi } from 'vitest';
import { useTestSystem } from '../testing/test-read-model.ts';
import { makeIndexes } from './make-indexes.ts';

const system = useTestSystem();
const needed = [{ key: { a: 1 } }, { key: { b: 1, c: -1 } }, { key: { d: 1 } }] as const;
let collections = 0;

function newRows() {
  collections += 1;
  const rows = system.parts.db.collection(`indexed${collections}`);
  const names = async () => (await rows.indexes()).map(({ name }) => name).toSorted();
  return { rows, names };
}

it('makes what is not there, and does nothing the next time', async () => {
  const { rows, names } = newRows();
  for (const _ of [1, 2]) {
    await makeIndexes([[rows, needed]]);
    expect(await names()).toEqual(['_id_', 'a_1', 'b_1_c_-1', 'd_1']);
  }
});

it('takes an index of another name that has the same keys, and makes the others', async () => {
  const { rows, names } = newRows();
  await rows.createIndex({ b: 1, c: -1 }, { name: 'by_hand' });
  await makeIndexes([[rows, needed]]);
  expect(await names()).toEqual(['_id_', 'a_1', 'by_hand', 'd_1']);
});

it.each([
  ['is hidden', { b: 1, c: -1 }, { name: 'by_hand', hidden: true }, 'An equivalent index already exists'],
  ['has the name of one', { b: -1 }, { name: 'b_1_c_-1' }, 'An existing index has the same name'],
] as const)('says what is in the way of one, and makes the others: it %s', async (_, key, options, said) => {
  const [{ rows, names }, other] = [newRows(), newRows()];
  await rows.createIndex(key, options);
  await expect(
    makeIndexes([
      [rows, needed],
      [other.rows, needed],
    ]),
  ).rejects.toThrow(said);
  expect(await names()).toEqual(['_id_', 'a_1', options.name, 'd_1'].toSorted());
  expect(await other.names()).toHaveLength(4);
});

it('makes the others where the rows do not let one be made', async () => {
  const { rows, names } = newRows();
  await rows.insertOne({ b: [1], c: [1] });
  await expect(makeIndexes([[rows, needed]])).rejects.toThrow('cannot index parallel arrays');
  expect(await names()).toEqual(['_id_', 'a_1', 'd_1']);
});

it('makes as many as there is room for', async () => {
  const { rows, names } = newRows();
  await rows.createIndexes(Array.from({ length: 61 }, (_, index) => ({ key: { [`other${index}`]: 1 } })));
  await expect(makeIndexes([[rows, needed]])).rejects.toThrow('too many indexes');
  expect(await names()).toHaveLength(64);
});

it('tries none alone while the server is out of reach', async () => {
  const createIndexes = vi.fn().mockRejectedValue(new MongoServerError({ message: 'stepped down', code: 10_107 }));
  await expect(makeIndexes([[{ createIndexes }, needed]])).rejects.toThrow('stepped down');
  expect(createIndexes).toHaveBeenCalledOnce();
});

it('takes none of another name for one that queries name by its name', async () => {
  const { rows } = newRows();
  await rows.createIndex({ a: 1 }, { name: 'by_hand' });
  await expect(makeIndexes([[rows, [{ key: { a: 1 }, name: 'mine' }]]])).rejects.toThrow('a different name: by_hand');
});
