import { MnemeError } from '@mneme/client';
import { expect, test } from 'vitest';
import { createCommand } from './use-command.ts';

const failure = (status: number) => new MnemeError({ status, code: 'ANY', detail: 'Any' });

/** Runs the same command once for each outcome. @returns the keys it was sent with */
async function keysFor(outcomes: readonly (Error | undefined)[], inputOf = (_index: number): unknown => 'same') {
  const run = createCommand();
  const keys: string[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const sent = run(inputOf(index), async ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      if (outcome) throw outcome;
    });
    await sent.catch(() => undefined);
  }
  return keys;
}

test.each([0, 500, 502, 503, 504])(
  'a command keeps its key after status %s, which leaves its outcome open',
  async (status) => {
    const [first, second] = await keysFor([failure(status), undefined]);
    expect(second).toBe(first);
  },
);

test.each([401, 408, 425, 429])('status %s does not end a command whose answer was lost before', async (status) => {
  const [first, , third] = await keysFor([failure(0), failure(status), undefined]);
  expect(third).toBe(first);
});

test.each([400, 403, 404, 409, 422])(
  'a command that was refused with status %s is another one next time',
  async (status) => {
    const [first, second] = await keysFor([failure(status), undefined]);
    expect(second).not.toBe(first);
  },
);

test('a command that was carried out is another one next time', async () => {
  const [first, second] = await keysFor([undefined, undefined]);
  expect(second).not.toBe(first);
});

test('a command with another input is another one, also after a lost answer', async () => {
  const [first, second] = await keysFor([failure(0), undefined], (overlap) => ({ keyId: 7, overlap }));
  expect(second).not.toBe(first);
});
