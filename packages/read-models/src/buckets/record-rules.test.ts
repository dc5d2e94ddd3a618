import { expect, it } from 'vitest';
import { type WriteOrder, writeInOrder } from './record-rules.ts';

type State = 'going' | 'ending' | 'ended';

it('what will end is written after what goes on, and before what has ended', async () => {
  const rules: WriteOrder<State> = {
    hasEnded: (state) => state === 'ended',
    isEnding: (state) => state === 'ending',
  };
  const written: string[] = [];
  const records: [string, State][] = [
    ['a', 'ended'],
    ['b', 'ending'],
    ['c', 'going'],
    ['d', 'ended'],
  ];
  const count = await writeInOrder(rules, records, async (key) => {
    written.push(key);
    return true;
  });
  expect(count).toBe(4);
  expect([written.slice(0, 2), written.slice(2).toSorted()]).toEqual([
    ['c', 'b'],
    ['a', 'd'],
  ]);
});
