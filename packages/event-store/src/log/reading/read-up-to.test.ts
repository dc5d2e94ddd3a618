import { expect, it } from 'vitest';
import { EventLogUnavailableError } from '../../errors.ts';
import { behindFor, losingOnce } from '../../testing/slow-connections.ts';
import { context, counted, countedTo, type TestLog, useTestLog } from '../../testing/test-log.ts';
import { openLog } from '../log.ts';
import { type LogRange, readUpTo } from './read-up-to.ts';

const log = useTestLog();

/** The sequences of each page. */
async function pagesOf({ connection, stream }: Pick<TestLog, 'connection' | 'stream'>, range: LogRange) {
  const pages: number[][] = [];
  for await (const page of readUpTo(openLog(connection, stream), range)) {
    pages.push(page.map(({ sequence }) => sequence));
  }
  return pages;
}

it('reads page by page what a subject has in a part of the log', async () => {
  const subject = `${log.stream}.a`;
  await log.store.append(subject, countedTo(300), 0, context);
  await log.store.append(`${log.stream}.b`, [counted(1)], 0, context);
  await log.store.append(subject, countedTo(2), 'any', context);
  const pages = await pagesOf(log, { subject, from: 2, upTo: 302 });
  expect(pages.map(({ length }) => length)).toEqual([250, 50]);
  expect(pages.flat()).toEqual([...Array.from({ length: 299 }, (_, index) => index + 2), 302]);
  expect(await pagesOf(log, { subject, from: 304, upTo: 1_000 })).toEqual([]);
});

it('leaves nothing out that the replica which answers does not have yet', async () => {
  const subject = `${log.stream}.a`;
  await log.store.append(subject, countedTo(3), 0, context);
  const behind = { ...log, connection: behindFor(log.connection, 2) };
  expect(await pagesOf(behind, { subject, from: 1, upTo: 3 })).toEqual([[1, 2, 3]]);
});

it.each([1, 3, 5])(
  'refuses a page of five whose message %i was lost on its way, and reads it the next time',
  async (lost) => {
    const range = { subject: `${log.stream}.a`, from: 1, upTo: 5 };
    await log.store.append(range.subject, countedTo(5), 0, context);
    const losing = { ...log, connection: losingOnce(log.connection, lost) };
    await expect(pagesOf(losing, range)).rejects.toThrow(EventLogUnavailableError);
    expect(await pagesOf(losing, range)).toEqual([[1, 2, 3, 4, 5]]);
  },
);

it('reads no more when it is told to stop', async () => {
  const range = { subject: `${log.stream}.a`, from: 1, upTo: 3, signal: AbortSignal.abort(new Error('stopped')) };
  await expect(pagesOf(log, range)).rejects.toThrow('stopped');
});
