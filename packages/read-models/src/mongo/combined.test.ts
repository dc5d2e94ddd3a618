import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { expect, it } from 'vitest';
import { combined, untilNext } from './combined.ts';

const ownClient = {};
const database = (databaseName: string, client = ownClient) => ({ client, databaseName }) as Db;

it('requests made at about the same time are served by one command for each database', async () => {
  const asked: string[] = [];
  const lengthOf = combined(async (db, words: readonly string[]) => {
    asked.push(`${db.databaseName}: ${words.join(', ')}`);
    return words.map((word) => word.length);
  });
  const databases = [database('a'), database('a'), database('b'), database('a', {})];
  expect(await Promise.all(databases.map((db, index) => lengthOf(db, 'x'.repeat(index))))).toEqual([0, 1, 2, 3]);
  expect(asked).toEqual(['a: , x', 'b: xx', 'a: xxx']);
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

it('what happens every so many milliseconds does not happen twice at about the same time', async () => {
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    await pause(untilNext(20));
    times.push(performance.now());
  }
  const rounds = times.map((time) => Math.floor(time / 20));
  expect(new Set(rounds).size).toBe(rounds.length);
});
