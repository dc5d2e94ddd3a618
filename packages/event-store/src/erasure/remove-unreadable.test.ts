import { headers as createHeaders } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { deadLetters } from '../dead-letters/dead-letters.ts';
import { writeDeadLetter } from '../dead-letters/write-dead-letter.ts';
import { execute } from '../execute.ts';
import { openLog, type StoredMessage } from '../log/log.ts';
import { messageAt } from '../log/reading/leader-read.ts';
import { catalog, context, counted, type TestEvent, useTestLog } from '../testing/test-log.ts';
import { removeUnreadable } from './remove-unreadable.ts';

const log = useTestLog();

const sum = {
  initialState: 0,
  decide: (n: number) => [counted(n)],
  evolve: (state: number, event: TestEvent) => state + (event.type === 'Counted' ? event.data.n : 0),
};

/** Removes the event at a sequence; returns what was saved of it. */
async function remove(sequence: number): Promise<readonly [message: StoredMessage, reason: string][]> {
  const saved: [StoredMessage, string][] = [];
  const save = async (...each: [StoredMessage, string]) => void saved.push(each);
  await removeUnreadable({ connection: log.connection, catalog, save }, { stream: log.stream, sequence });
  return saved;
}

/** Appends an event of a type whose data are not what the catalog describes. */
async function append(type: string): Promise<number> {
  const headers = createHeaders();
  const fields = { specversion: '1.0', id: type, type, source: 'test', time: new Date().toISOString() };
  for (const [name, value] of Object.entries(fields)) headers.set(`ce-${name}`, value);
  headers.set('ce-dataschema', `mneme:TEST/${type}/v1`);
  return (await log.connection.request(`${log.stream}.a`, '{}', { headers, timeout: 5_000 })).json<{ seq: number }>()
    .seq;
}

it('commands go on without an event that cannot be read, and nothing waits for it', async () => {
  const subject = `${log.stream}.a`;
  await log.store.append(subject, [counted(5)], 0, context);
  const sequence = await append('Counted');
  const message = await messageAt(openLog(log.connection, log.stream), sequence);
  for (const by of ['sums@1', 'others@1']) {
    await writeDeadLetter(log.connection, message as StoredMessage, { by, reason: 'unreadable' });
  }
  const decide = () => execute(log.store, sum, subject, 1, context);
  await expect(decide()).rejects.toMatchObject({ name: 'UnreadableEventError', position: { sequence } });
  expect(await remove(sequence)).toEqual([[message, expect.stringContaining('its data do not fit')]]);
  expect(await decide()).toMatchObject({ state: 6 });
  expect(await deadLetters(log.connection).count()).toBe(0);
});

it('keeps an event that this release or a newer one can read, and one that could not be saved', async () => {
  await log.store.append(`${log.stream}.a`, [counted(5)], 0, context);
  const unknown = await append('Weighed');
  const unreadable = await append('Counted');
  await expect(remove(1)).rejects.toThrow(`The event at ${log.stream}:1 can be read`);
  await expect(remove(unknown)).rejects.toThrow(`A newer release can read ${log.stream}:2`);
  await expect(remove(99)).rejects.toThrow(`There is no event at ${log.stream}:99`);
  const save = () => Promise.reject(new Error('No space left'));
  const position = { stream: log.stream, sequence: unreadable };
  await expect(removeUnreadable({ connection: log.connection, catalog, save }, position)).rejects.toThrow(
    'No space left',
  );
  expect(await messageAt(openLog(log.connection, log.stream), unreadable)).toBeDefined();
});
