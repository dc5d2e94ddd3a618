import { headers as createHeaders, type MsgHdrs } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { openEraser } from '../erasure/eraser.ts';
import { execute } from '../execute.ts';
import { openLog, type StoredMessage } from '../log/log.ts';
import { messageAt } from '../log/reading/leader-read.ts';
import { context, counted, type TestEvent, useTestLog } from '../testing/test-log.ts';
import { deadLetters } from './dead-letters.ts';
import { removeForeign } from './remove-foreign.ts';
import { writeDeadLetter } from './write-dead-letter.ts';

const log = useTestLog();

const sum = {
  initialState: 0,
  decide: (n: number) => [counted(n)],
  evolve: (state: number, event: TestEvent) => state + (event.type === 'Counted' ? event.data.n : 0),
};

/** Removes the message at a sequence; returns what was saved of it. */
async function remove(sequence: number): Promise<readonly StoredMessage[]> {
  const saved: StoredMessage[] = [];
  await removeForeign(log.connection, { stream: log.stream, sequence }, async (message) => void saved.push(message));
  return saved;
}

async function append(data: string, headers?: MsgHdrs): Promise<number> {
  const options = { timeout: 5_000, ...(headers && { headers }) };
  return (await log.connection.request(`${log.stream}.a`, data, options)).json<{ seq: number }>().seq;
}

it('commands go on without a message that is no event, and nothing waits for it', async () => {
  const subject = `${log.stream}.a`;
  await log.store.append(subject, [counted(5)], 0, context);
  const sequence = await append('no event');
  const message = await messageAt(openLog(log.connection, log.stream), sequence);
  for (const by of ['sums@1', 'others@1']) {
    await writeDeadLetter(log.connection, message as StoredMessage, { by, reason: 'unreadable' });
  }
  const decide = () => execute(log.store, sum, subject, 1, context);
  await expect(decide()).rejects.toMatchObject({ name: 'UnreadableEventError', position: { sequence } });
  expect(await remove(sequence)).toEqual([message]);
  expect(await decide()).toMatchObject({ state: 6 });
  expect(await deadLetters(log.connection).count()).toBe(0);
});

it('a removal that was interrupted is finished by another one', async () => {
  const sequence = await append('no event');
  const message = await messageAt(openLog(log.connection, log.stream), sequence);
  await writeDeadLetter(log.connection, message as StoredMessage, { by: 'sums@1', reason: 'unreadable' });
  await openEraser(log.connection, log.stream).erase([sequence]);
  await expect(remove(sequence)).rejects.toThrow(`There is no message at ${log.stream}:${sequence}`);
  expect(await deadLetters(log.connection).count()).toBe(0);
});

it('keeps each event, also one that cannot be read, and what could not be saved', async () => {
  await log.store.append(`${log.stream}.a`, [counted(5)], 0, context);
  const headers = createHeaders();
  headers.set('ce-type', 'Counted');
  const damaged = await append('{', headers);
  for (const sequence of [1, damaged])
    await expect(remove(sequence)).rejects.toThrow(`${sequence} is an event, and stays`);
  const sequence = await append('no event');
  const save = () => Promise.reject(new Error('No space left'));
  await expect(removeForeign(log.connection, { stream: log.stream, sequence }, save)).rejects.toThrow('No space left');
  expect(await messageAt(openLog(log.connection, log.stream), sequence)).toBeDefined();
});
