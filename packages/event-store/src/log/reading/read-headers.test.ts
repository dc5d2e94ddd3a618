import { waitUntil } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { startLossyProxy } from '../../testing/lossy-proxy.ts';
import { behindFor, silentFor } from '../../testing/slow-connections.ts';
import { context, counted, countedTo, openTestLog, type TestLog, useTestLog } from '../../testing/test-log.ts';
import { type HeaderQuery, readHeaders } from './read-headers.ts';

const log = useTestLog();

/** The sequences of all messages of a log that a query finds. */
function sequencesOf(
  { connection, stream }: Pick<TestLog, 'connection' | 'stream'>,
  query: Pick<HeaderQuery<number>, 'limit' | 'startTime' | 'startSequence' | 'isLast'> = {},
): Promise<number[]> {
  return readHeaders(connection, { ...query, stream, subject: `${stream}.>`, pick: ({ sequence }) => sequence });
}

const sequencesTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

it('fails when messages are lost with the connection, instead of leaving them out', async () => {
  await using proxy = await startLossyProxy(log.stack.natsUrl);
  await using proxied = await openTestLog(log.stack, proxy.url);
  await proxied.store.append(`${proxied.stream}.a`, countedTo(100), 0, context);
  // What a consumer hands out has a subject to be acknowledged on.
  proxy.loseNextReply({ containing: '$JS.ACK' });
  await expect(sequencesOf(proxied)).rejects.toMatchObject({ name: 'EventLogUnavailableError' });
  expect(proxy.lost()).toBe(1);
  expect(await sequencesOf(proxied)).toHaveLength(100);
});

it('leaves out what was stored before the start time, and tells when each message was stored', async () => {
  const appendLater = async (n: number) => {
    const before = Date.now();
    await waitUntil(() => Date.now() > before + 1);
    await log.store.append(`${log.stream}.a`, [counted(n)], 'any', context);
  };
  for (const n of [1, 2, 3]) await appendLater(n);
  const times = await readHeaders(log.connection, {
    stream: log.stream,
    subject: `${log.stream}.a`,
    pick: ({ timeMs }) => timeMs,
  });
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  const startTime = new Date(times[1] ?? 0);
  expect(Math.abs(Date.now() - startTime.getTime())).toBeLessThan(60_000);
  expect(await sequencesOf(log, { startTime })).toEqual([2, 3]);
  expect(await sequencesOf(log, { startTime: new Date(Date.now() + 60_000) })).toEqual([]);
});

it('reads nothing after the message that is said to be the last, and leaves no reader behind', async () => {
  for (const name of ['a', 'b', 'c']) await log.store.append(`${log.stream}.${name}`, countedTo(900), 0, context);
  const before = log.connection.stats().inMsgs;
  const asked: number[] = [];
  const isLast = ({ sequence }: { sequence: number }) => {
    asked.push(sequence);
    return sequence === 500;
  };
  expect(await sequencesOf(log, { isLast })).toEqual(sequencesTo(500));
  expect(asked).toEqual(sequencesTo(500));
  // One page at most.
  expect(log.connection.stats().inMsgs - before).toBeLessThan(1_050);
  expect(await sequencesOf(log, { isLast: () => false })).toEqual(sequencesTo(2_700));
  const manager = await jetstreamManager(log.connection);
  expect((await manager.streams.info(log.stream)).state.consumer_count).toBe(0);
});

it('is not ended by a page in which nothing comes, since the server may be slow', async () => {
  await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
  const slow = { ...log, connection: silentFor(log.connection, 1_500) };
  const begun = performance.now();
  expect(await sequencesOf(slow)).toEqual([1, 2, 3]);
  // That is, after a page of a second.
  expect(performance.now() - begun).toBeGreaterThan(1_000);
});

it('leaves nothing out that the replica which is read from does not have yet', async () => {
  await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
  const behind = () => ({ ...log, connection: behindFor(log.connection, 2) });
  expect(await sequencesOf(behind())).toEqual([1, 2, 3]);
  expect(await sequencesOf(behind(), { limit: 2 })).toEqual([1, 2]);
  expect(await sequencesOf(behind(), { startTime: new Date(0) })).toEqual([1, 2, 3]);
  expect(await sequencesOf(behind(), { startSequence: 2 })).toEqual([2, 3]);
  // Nothing is missing that was stored earlier.
  expect(await sequencesOf(behind(), { startTime: new Date(Date.now() + 60_000) })).toEqual([]);
  expect(await sequencesOf(behind(), { startSequence: 4 })).toEqual([]);
});

it('fails when replicas stay behind, instead of leaving out what they do not have', async () => {
  await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
  const behind = { ...log, connection: behindFor(log.connection, Number.POSITIVE_INFINITY) };
  await expect(sequencesOf(behind)).rejects.toMatchObject({ name: 'EventLogUnavailableError' });
});
