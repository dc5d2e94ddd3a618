import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { context, type TestEvent, useTestLog } from '../testing/test-log.ts';
import { openEraser, purgeSubject } from './eraser.ts';

const log = useTestLog();

const noted = (text: string): TestEvent => ({ type: 'Noted', data: { text } });
/** Fills a file of the stream, so that the one before is closed and compressed. */
const filler = () => noted(Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64'));

async function fillFile(name: string): Promise<void> {
  for (let part = 0; part < 120; part += 1)
    await log.store.append(`${log.stream}.filler.${name}-${part}`, [filler()], 0, context);
}

/** The server's files that hold a text, where they can be looked into. */
async function filesWith(text: string): Promise<string[]> {
  const { folder } = log.stack.servers.nats;
  if (folder === undefined) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(text)));
  return paths.filter((_, index) => found[index]);
}

it('finds what stands under a pattern, without its data', async () => {
  const eraser = openEraser(log.connection, log.stream);
  await log.store.append(`${log.stream}.a.1`, [noted('x'), noted('y')], 0, context);
  await log.store.append(`${log.stream}.b.1`, [noted('z')], 0, context);
  expect(await eraser.find(`${log.stream}.a.>`)).toEqual([
    { sequence: 1, subject: `${log.stream}.a.1`, type: 'Noted' },
    { sequence: 2, subject: `${log.stream}.a.1`, type: 'Noted' },
  ]);
  expect(await eraser.find(`${log.stream}.c.>`)).toEqual([]);
});

it('finds the first ones alone when no more are asked for, and has no others sent', async () => {
  const eraser = openEraser(log.connection, log.stream);
  const events = Array.from({ length: 900 }, (_, index) => noted(String(index)));
  for (const subject of ['a', 'b', 'c']) await log.store.append(`${log.stream}.${subject}`, events, 0, context);
  const sequencesOf = async (limit: number) => {
    const before = log.connection.stats().inMsgs;
    const found = await eraser.find(`${log.stream}.>`, { limit });
    return { sequences: found.map(({ sequence }) => sequence), sent: log.connection.stats().inMsgs - before };
  };
  const few = await sequencesOf(3);
  expect(few.sequences).toEqual([1, 2, 3]);
  expect(few.sent).toBeLessThan(50);
  const overTwoRequests = await sequencesOf(1_001);
  expect(overTwoRequests.sequences).toEqual(Array.from({ length: 1_001 }, (_, index) => index + 1));
  expect(overTwoRequests.sent).toBeLessThan(1_050);
  expect((await sequencesOf(2_700)).sequences).toHaveLength(2_700);
  expect((await sequencesOf(5_000)).sequences).toHaveLength(2_700);
});

it('takes the bytes of a message off the disk, in closed files and in the open one', async () => {
  const { store, stream } = log;
  await store.append(`${stream}.a`, [noted('quokkaworda'), noted('quokkawordb')], 0, context);
  await store.append(`${stream}.b`, [noted('wombatword')], 0, context);
  await fillFile('first');
  await store.append(`${stream}.a`, [noted('quokkawordc')], 2, context);
  expect(await filesWith('quokkaword')).toHaveLength(log.stack.servers.nats.folder ? 2 : 0);
  const eraser = openEraser(log.connection, stream);
  await eraser.erase((await eraser.find(`${stream}.a`)).map(({ sequence }) => sequence));
  expect(await filesWith('quokkaword')).toEqual([]);
  expect(await store.load(`${stream}.a`)).toMatchObject({ events: [], revision: 0 });
  expect((await store.load(`${stream}.b`)).events.map(({ data }) => data)).toEqual([{ text: 'wombatword' }]);
  await log.stack.servers.nats.restart();
  await expect.poll(() => store.load(`${stream}.b`), { timeout: 20_000 }).toMatchObject({ revision: 3 });
  expect(await filesWith('quokkaword')).toEqual([]);
});

it('can be repeated, and be done by two at once', async () => {
  const eraser = openEraser(log.connection, log.stream);
  await log.store.append(`${log.stream}.a`, [noted('x'), noted('y'), noted('z')], 0, context);
  await Promise.all([eraser.erase([1, 2]), eraser.erase([2, 1])]);
  await eraser.erase([1, 2, 77]);
  expect((await eraser.find(`${log.stream}.a`)).map(({ sequence }) => sequence)).toEqual([3]);
});

it('makes work that was under way fail, since the revision that it expects is gone', async () => {
  const { sequence: revision } = await log.store.append(`${log.stream}.a`, [noted('x')], 0, context);
  await openEraser(log.connection, log.stream).erase([revision]);
  await expect(log.store.append(`${log.stream}.a`, [noted('y')], revision, context)).rejects.toThrow('no longer at');
  await log.store.append(`${log.stream}.a`, [noted('new')], 0, context);
});

it('takes a whole subject out in one step, and nothing else', async () => {
  const { store, stream } = log;
  const events = Array.from({ length: 900 }, (_, index) => noted(String(index)));
  await store.append(`${stream}.a`, events, 0, context);
  await store.append(`${stream}.ab`, [noted('stays')], 0, context);
  await purgeSubject(log.connection, stream, `${stream}.a`);
  expect((await store.load(`${stream}.a`)).events).toEqual([]);
  expect((await store.load(`${stream}.ab`)).revision).toBe(901);
});
