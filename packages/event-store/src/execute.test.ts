import { describe, expect, it } from 'vitest';
import { ConflictError } from './errors.ts';
import type { EventStore } from './event-store.ts';
import { type Decider, execute } from './execute.ts';
import { splitBySize } from './parts.ts';
import { formatPosition, parsePosition } from './position.ts';

interface Added {
  readonly type: 'Added';
  readonly data: number;
}

const sum: Decider<number, number, Added> = {
  initialState: 0,
  decide: (addend) => (addend === 0 ? [] : [{ type: 'Added', data: addend }]),
  evolve: (total, event) => total + event.data,
};
const context = { correlationId: 'request-1' };

/** A store whose appends meet the given number of conflicts first. */
function storeWith(history: number[], conflicts: number): EventStore<Added> & { loads: number } {
  let left = conflicts;
  return {
    loads: 0,
    async load(subject) {
      this.loads += 1;
      const events = history.map((data) => ({ type: 'Added', data })) as never;
      return { subject, events, revision: history.length };
    },
    append: async (subject, _events, expected) => {
      left -= 1;
      if (left >= 0) throw new ConflictError(subject, Number(expected));
      return { stream: 'S', sequence: history.length + 1 };
    },
    last: async () => undefined,
    head: async () => history.length,
  };
}

describe('execute', () => {
  it('returns the state with the new events', async () => {
    const done = await execute(storeWith([1, 2], 0), sum, 's', 4, context);
    expect(done).toEqual({ state: 7, events: [{ type: 'Added', data: 4 }], position: { stream: 'S', sequence: 3 } });
  });

  it('appends nothing when there is nothing to do', async () => {
    const done = await execute(storeWith([1, 2], 9), sum, 's', 0, context);
    expect(done).toEqual({ state: 3, events: [], position: undefined });
  });

  it('decides again on what it loads again after a conflict, three times at most', async () => {
    const store = storeWith([1], 2);
    expect((await execute(store, sum, 's', 1, context)).state).toBe(2);
    expect(store.loads).toBe(3);
    await expect(execute(storeWith([1], 3), sum, 's', 1, context)).rejects.toThrow(ConflictError);
    await expect(execute(storeWith([1], 1), sum, 's', 1, context, { attempts: 1 })).rejects.toThrow(ConflictError);
  });
});

describe('splitBySize', () => {
  const split = (sizes: number[], max: number) => splitBySize(sizes, (size) => size, max);

  it('keeps the order and fills every run as far as it goes', () => {
    expect(split([3, 3, 4, 1, 9, 1], 10)).toEqual([[3, 3, 4], [1, 9], [1]]);
  });

  it('gives an item that is too large a run of its own', () => {
    expect(split([1, 20, 1], 10)).toEqual([[1], [20], [1]]);
    expect(split([20], 10)).toEqual([[20]]);
  });

  it('makes no run of nothing', () => {
    expect(split([], 10)).toEqual([]);
  });
});

describe('a position as text', () => {
  it('comes back as it was', () => {
    const position = { stream: 'MEMORY', sequence: 42 };
    expect(formatPosition(position)).toBe('MEMORY:42');
    expect(parsePosition('MEMORY:42')).toEqual(position);
  });

  it.each([
    '',
    'MEMORY',
    ':4',
    'MEMORY:',
    'MEMORY:-1',
    'MEMORY:1e3',
    'MEMORY:01',
    'ME MORY:1',
    'MEMORY:9999999999999999',
  ])('is nothing when it reads %j', (text) => expect(parsePosition(text)).toBeUndefined());
});
