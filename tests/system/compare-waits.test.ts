import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { compareWaits } from './compare-waits.ts';

type Who = 'loud' | 'quiet';

test.each<[Who, number]>([
  ['loud', 0],
  ['loud', 20],
  ['quiet', 3],
])(
  'the first answer of a %s one that is not 200, after %i, fails it, and no request goes on',
  async (failing, after) => {
    const asked = { loud: 0, quiet: 0 };
    let underWay = 0;
    const ask = async (who: Who) => {
      const status = who === failing && asked[who] >= after ? 500 : 200;
      asked[who] += 1;
      underWay += 1;
      await pause(status === 500 ? 5 : 50);
      underWay -= 1;
      return { status, headers: new Headers(), body: who };
    };
    const waits = compareWaits({ atOnce: 10, loud: () => ask('loud'), quiet: [() => ask('quiet')] });
    await expect(waits).rejects.toThrow(`"${failing}"`);
    const askedUntilThen = { ...asked };
    expect(underWay).toBe(0);
    await pause(100);
    expect(asked).toEqual(askedUntilThen);
  },
);
