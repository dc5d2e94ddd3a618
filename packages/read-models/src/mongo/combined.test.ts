import type { Db } from 'mongodb';
import { expect, it } from 'vitest';
import { combined } from './combined.ts';

const client = {};
const database = (databaseName: string) => ({ client, databaseName }) as Db;

it('requests made at about the same time are served by one command for each database', async () => {
  const asked: string[] = [];
  const lengthOf = combined(async (db, words: readonly string[]) => {
    asked.push(`${db.databaseName}: ${words.join(', ')}`);
    return words.map((word) => word.length);
  });
  const requests = [lengthOf(database('a'), 'one'), lengthOf(database('a'), 'three'), lengthOf(database('b'), 'two')];
  expect(await Promise.all(requests)).toEqual([3, 5, 3]);
  expect(asked).toEqual(['a: one, three', 'b: two']);
});

it('a request is answered anew each time, also after one that has failed', async () => {
  let calls = 0;
  const next = combined(async (_, requests: readonly string[]) => {
    calls += 1;
    if (calls === 1) throw new Error('away');
    return requests.map(() => calls);
  });
  const failing = [next(database('a'), 'x'), next(database('a'), 'y')];
  for (const request of failing) await expect(request).rejects.toThrow('away');
  expect([await next(database('a'), 'x'), await next(database('a'), 'x')]).toEqual([2, 3]);
});
