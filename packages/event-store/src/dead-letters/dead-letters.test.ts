import { defineEvent, eventCatalog } from '@mneme/contracts';
import { waitUntil } from '@mneme/local-stack/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openEraser } from '../erasure/eraser.ts';
import { connectEventStore } from '../event-store.ts';
import { runHandler } from '../handlers/run-handler.ts';
import { openLog } from '../log/log.ts';
import { messageAt } from '../log/reading/leader-read.ts';
import { maxEventBytes } from '../log/writing/parts.ts';
import { catalog, context, counted, handlerOptions, useTestLog } from '../testing/test-log.ts';
import { type DeadLetter, deadLetters } from './dead-letters.ts';
import { writeDeadLetter } from './write-dead-letter.ts';

/** What a repaired release writes and reads, in the version that the other one takes for its own. */
const newCatalog = eventCatalog([defineEvent('Counted', { n: z.union([z.number(), z.string()]) })]);
const newEvent = { type: 'Counted' as const, data: { n: '2 kg' } };

const log = useTestLog();

async function run(handlerCatalog: typeof catalog | typeof newCatalog, seen: unknown[], before = async () => {}) {
  const handler = await runHandler({
    ...handlerOptions(log),
    catalog: handlerCatalog as typeof newCatalog,
    types: ['Counted'],
    handle: async (event) => {
      await before();
      seen.push(event.data);
    },
    concurrency: 1,
    maxTries: 1,
  });
  return log.stopAtEnd(handler);
}

/** Three events, the second of which only the new catalog can read, handled with the old one. */
async function deadLetterOne(seen: unknown[]): Promise<DeadLetter> {
  const newStore = connectEventStore({ ...log, catalog: newCatalog, source: 'new' });
  await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
  await newStore.append(`${log.stream}.a`, [newEvent], 1, context);
  await log.store.append(`${log.stream}.a`, [counted(3)], 2, context);
  const handler = await run(catalog, seen);
  await waitUntil(async () => (await handler.pending()) === 0);
  await handler.stop();
  const [letter] = await log.deadLetters();
  if (!letter) throw new Error('There is no dead letter');
  return letter;
}

it('keeps the data while the connection is lost and knows nothing of its server', async () => {
  await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
  const message = await messageAt(openLog(log.connection, log.stream), 1);
  if (!message) throw new Error('There is no message');
  const connection = Object.create(log.connection, { info: { value: undefined } });
  await writeDeadLetter(connection, message, { by: 'test', reason: 'no reason' });
  expect((await log.deadLetters())[0]?.data).toEqual(new Uint8Array(message.data));
});

describe('an event that a handler cannot read', () => {
  it('is dead-lettered with its reason, headers and data, and the others are handled', async () => {
    const seen: unknown[] = [];
    expect(await deadLetterOne(seen)).toMatchObject({
      by: 'counting',
      reason: expect.stringContaining('its data do not fit: n'),
      type: 'Counted',
      subject: `${log.stream}.a`,
      position: { stream: log.stream, sequence: 2 },
      data: new TextEncoder().encode(JSON.stringify(newEvent.data)),
    });
    expect(seen).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('is handled when it is retried with a release that can read it, and then is no dead letter any more', async () => {
    const letter = await deadLetterOne([]);
    const seen: unknown[] = [];
    await run(newCatalog, seen);
    await deadLetters(log.connection).retry(letter.sequence);
    expect(seen).toEqual([newEvent.data]);
    expect(await log.deadLetters()).toEqual([]);
  });

  it('stays a dead letter when the retry fails or no handler runs', async () => {
    const letter = await deadLetterOne([]);
    const { retry } = deadLetters(log.connection);
    await expect(retry(letter.sequence)).rejects.toThrow('no responders');
    await run(newCatalog, [], () => Promise.reject(new Error('still broken')));
    await expect(retry(letter.sequence)).rejects.toThrow('still broken');
    expect(await log.deadLetters()).toHaveLength(1);
  });

  it('stays a dead letter when its retry takes longer than it is waited for, until the next retry', async () => {
    const letter = await deadLetterOne([]);
    const seen: unknown[] = [];
    const ending = Promise.withResolvers<void>();
    await run(newCatalog, seen, () => ending.promise);
    const refused = { status: 504, code: 'TIMEOUT', message: expect.stringContaining('It goes on') };
    await expect(deadLetters(log.connection, 50).retry(letter.sequence)).rejects.toMatchObject(refused);
    expect(await log.deadLetters()).toHaveLength(1);
    ending.resolve();
    await waitUntil(async () => seen.length === 1);
    await deadLetters(log.connection).retry(letter.sequence);
    expect(seen).toEqual([newEvent.data, newEvent.data]);
    expect(await log.deadLetters()).toEqual([]);
  });

  it('can be discarded, and stays in the log', async () => {
    const letter = await deadLetterOne([]);
    await deadLetters(log.connection).discard(letter.sequence);
    expect(await log.deadLetters()).toEqual([]);
    expect(await log.store.head()).toBe(3);
    await expect(deadLetters(log.connection).retry(letter.sequence)).rejects.toThrow('There is no dead letter');
  });

  it('is dead-lettered without its data when those leave no room for the reason', async () => {
    const data = new Uint8Array(maxEventBytes(log.connection) + 16 * 1024 - 10);
    await log.connection.request(`${log.stream}.a`, data, { timeout: 5_000 });
    const handler = await run(catalog, []);
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(await log.deadLetters()).toMatchObject([{ data: undefined, position: { sequence: 1 } }]);
  });
});

it('goes with its original when that is erased, whether it was dead-lettered before or is after', async () => {
  const original = (await deadLetterOne([])).position.sequence;
  await openEraser(log.connection, log.stream).erase([original]);
  await deadLetters(log.connection).eraseCopies(({ subject }) => subject.startsWith(`${log.stream}.`));
  expect(await log.deadLetters()).toEqual([]);
  const message = { stream: log.stream, sequence: original, subject: `${log.stream}.a`, headers: undefined };
  await writeDeadLetter(log.connection, { ...message, data: new Uint8Array([1]) }, { by: 'late', reason: 'unknown' });
  expect(await log.deadLetters()).toEqual([]);
});
