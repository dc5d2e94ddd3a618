import { expect, it } from 'vitest';
import { execute } from '../execute.ts';
import { openLog } from '../log/log.ts';
import { messageAt } from '../log/reading/leader-read.ts';
import { context, counted, type TestEvent, useTestLog } from '../testing/test-log.ts';
import { deadLetters } from './dead-letters.ts';
import { writeDeadLetter } from './write-dead-letter.ts';

const log = useTestLog();

const sum = {
  initialState: 0,
  decide: (n: number, state: number) => (state > 100 ? [] : [counted(n)]),
  evolve: (state: number, event: TestEvent) => state + (event.type === 'Counted' ? event.data.n : 0),
};

/** An event that can be read, and others after it that cannot; they are dead letters. */
async function damaged(subject: string, count: number) {
  await log.store.append(subject, [counted(5)], 0, context);
  for (let each = 0; each < count; each += 1) {
    const { seq } = (await log.connection.request(subject, 'no event at all')).json<{ seq: number }>();
    const message = await messageAt(openLog(log.connection, log.stream), seq);
    if (!message) throw new Error('There is no message');
    await writeDeadLetter(log.connection, message, { by: 'sums@1', aggregate: subject, lane: 0, reason: 'unreadable' });
  }
}

async function discardAll() {
  for (const { sequence } of await log.deadLetters()) await deadLetters(log.connection).discard(sequence);
}

it.each(['all', 'last'] as const)('a decision that reads %s leaves out what is discarded', async (history) => {
  const subject = `${log.stream}.a`;
  await damaged(subject, 2);
  const decide = () => execute(log.store, sum, subject, 1, context, { history });
  await expect(decide()).rejects.toMatchObject({ name: 'UnreadableEventError' });
  await discardAll();
  expect(await decide()).toMatchObject({ state: 6, revision: 4 });
});

it('an event that waits for an operator is not left out because another one was discarded', async () => {
  const subject = `${log.stream}.a`;
  await damaged(subject, 1);
  await discardAll();
  await log.connection.request(subject, 'no event either');
  await expect(execute(log.store, sum, subject, 1, context)).rejects.toMatchObject({ position: { sequence: 3 } });
});

it('a dead letter that is settled twice at once is found once', async () => {
  await damaged(`${log.stream}.a`, 1);
  const [letter] = await log.deadLetters();
  const twice = await Promise.allSettled([1, 2].map(() => deadLetters(log.connection).discard(letter?.sequence ?? 0)));
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 404, message: `There is no dead letter ${letter?.sequence}` },
  });
});
