import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defineEvent, eventCatalog } from '@mneme/contracts';
import { connectEventStore, ensureStream, runHandler, writeDeadLetter } from '@mneme/event-store';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { closeNats, connectNats, createLogger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { main } from './testing/main.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const stream = 'TEST';
const catalog = eventCatalog([defineEvent('Counted', { n: z.number() })]);

let stack: Stack;
let connection: NatsConnection;
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
  connection = await connectNats({ url: stack.natsUrl, name: 'test', logger });
  await ensureStream(connection, { name: stream, subjects: ['test.>'], replicas: 1 });
});
afterAll(async () => {
  await closeNats(connection);
  await stack.stop();
});

const deadLetters = (...parameters: string[]) => run('dead-letters', ...parameters);

/** What a command says, and with which exit code it ends. */
async function run(...parameters: string[]): Promise<{ code: number; says: string }> {
  const options = { env: { ...process.env, NATS_URL: stack.natsUrl } };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...parameters], options);
    return { code: 0, says: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, says: stderr };
  }
}

it('what a handler has given up is shown, tried again, and taken off the list', async () => {
  expect(await deadLetters()).toEqual({ code: 0, says: 'There are no dead letters.\n' });
  const handled: number[] = [];
  let failure: Error | undefined = new Error('No wind');
  const handler = await runHandler({
    connection,
    stream,
    catalog,
    logger,
    durable: 'mill',
    filterSubject: 'test.>',
    types: ['Counted'],
    concurrency: 1,
    ackWaitMs: 2_000,
    maxTries: 1,
    backoffMs: () => 20,
    onExhausted: 'dead-letter',
    handle: async ({ data }) => {
      if (failure) throw failure;
      handled.push(data.n);
    },
  });
  const store = connectEventStore({ connection, stream, catalog, source: 'test' });
  const counted = (n: number) => ({ type: 'Counted', data: { n } }) as const;
  const all = [counted(1), counted(2), counted(3), counted(4), counted(5)];
  await store.append('test.a', all, 'any', { correlationId: 'c' });
  await expect.poll(async () => (await deadLetters()).says.split('\n'), { timeout: 20_000 }).toHaveLength(6);
  const [first] = (await deadLetters()).says.split('\n');
  expect(first).toMatch(/^1\t\d{4}-\d\d-\d\dT[\d:.]+Z\tmill\tCounted\tTEST:1\t.*No wind/);

  const stays = await deadLetters('retry', '1');
  expect(stays).toMatchObject({ code: 1, says: expect.stringMatching(/^1 stays a dead letter\. .*No wind/) });
  failure = undefined;
  expect(await deadLetters('retry', '1')).toEqual({ code: 0, says: '1 was handled.\n' });
  expect(handled).toEqual([1]);
  expect(await deadLetters('retry', '3', '99', '2')).toEqual({
    code: 1,
    says: 'There is no dead letter 99\n',
  });
  expect(handled).toEqual([1, 3, 2]);
  expect(await deadLetters('retry', '--reader', 'another')).toEqual({
    code: 1,
    says: expect.stringContaining('There is no dead letter of a reader another'),
  });
  expect((await deadLetters('discard', '4')).code).toBe(0);
  expect(await deadLetters('retry', '--all')).toEqual({ code: 0, says: '5 was handled.\n' });
  expect(handled).toEqual([1, 3, 2, 5]);
  expect((await deadLetters()).says).toBe('There are no dead letters.\n');
  expect((await store.load('test.a')).events).toHaveLength(5);
  await handler.stop();
});

it.each([
  [['retry', '99'], /^There is no dead letter 99\n$/],
  [['discard', '99'], /^There is no dead letter 99\n$/],
  [['retry', 'x'], 'Use the id in the first column'],
  [['retry'], 'Give the ids of dead letters, or --reader and a name of the third column, or --all.'],
  [['retry', '7', '--all'], 'Give the ids of dead letters, or --reader'],
])('says what is wrong: %j', async (parameters, reason) => {
  expect(await deadLetters(...parameters)).toMatchObject({ code: 1, says: expect.stringMatching(reason) });
});

it('all are shown, however many there are', async () => {
  const count = 1_001;
  const data = new TextEncoder().encode('{}');
  const { seq: sequence } = (await connection.request('test.many', data)).json<{ seq: number }>();
  const message = { stream, sequence, subject: 'test.many', headers: undefined, data };
  const indices = Array.from({ length: count }, (_, index) => index);
  for (let start = 0; start < count; start += 100) {
    const some = indices.slice(start, start + 100);
    await Promise.all(
      some.map((index) => writeDeadLetter(connection, message, { by: `reader-${index}`, reason: 'No wind' })),
    );
  }
  const lines = (await deadLetters()).says.trimEnd().split('\n');
  expect(await deadLetters('retry', '--reader', 'reader-7')).toMatchObject({
    code: 1,
    says: expect.stringMatching(/^\d+ stays a dead letter\. [^\n]+\n$/),
  });
  expect(new Set(lines.map((line) => line.split('\t')[2])).size).toBe(count);
});

it('a message that is no event is taken out of the log, into a new file', async () => {
  await ensureStream(connection, { name: 'ACCESS', subjects: ['access.>'], replicas: 1 });
  const { seq } = (await connection.request('access.key.7', 'no event')).json<{ seq: number }>();
  const folder = await mkdtemp(join(tmpdir(), 'mneme-removed-'));
  const file = join(folder, 'event.json');
  const remove = (position: string) => run('remove-message', position, '--save', file);
  expect(await remove('ACCESS')).toMatchObject({ code: 1, says: expect.stringContaining('such as ACCESS:42') });
  expect(await remove(`ACCESS:${seq}`)).toEqual({ code: 0, says: '' });
  const saved = JSON.parse(await readFile(file, 'utf8'));
  expect(saved).toMatchObject({ stream: 'ACCESS', sequence: seq, subject: 'access.key.7' });
  expect(Buffer.from(saved.dataBase64, 'base64').toString()).toBe('no event');
  const gone = {
    code: 1,
    says: `\nThe removal of ACCESS:${seq} did not finish. There is no message at ACCESS:${seq}.\n`,
  };
  expect(await remove(`ACCESS:${seq}`)).toEqual(gone);
  await connection.request('access.key.7', 'no event either');
  expect(await remove(`ACCESS:${seq + 1}`)).toMatchObject({ code: 1, says: expect.stringContaining('EEXIST') });
  const printed = await run('remove-message', `ACCESS:${seq + 1}`, '--save', '-');
  expect(JSON.parse(printed.says)).toMatchObject({ sequence: seq + 1 });
  await rm(folder, { recursive: true });
});
