import { randomBytes } from 'node:crypto';
import { damageFile } from '@mneme/local-stack/testing';
import { beforeEach, expect, it } from 'vitest';
import { context, useTestLog } from '../../testing/test-log.ts';
import { openLog } from '../log.ts';
import { checkLog } from './check-log.ts';
import { messageAt } from './leader-read.ts';
import { nextReadable } from './next-readable.ts';
import { readUpTo } from './read-up-to.ts';

const log = useTestLog();
const opened = () => openLog(log.connection, log.stream);
const count = 40;
const sequences = Array.from({ length: count }, (_, index) => index + 1);
/** Those that the server finds when it is asked for each of them. */
let readable: number[];

/** NATS compresses a file of 8 MiB when it begins the next one, and cannot read anything of it when it is damaged then. */
beforeEach(async () => {
  for (const sequence of sequences) {
    const data = new Uint8Array(randomBytes(300_000));
    await log.store.append(`${log.stream}.${sequence % 2}`, [{ type: 'Received', data }], 'any', context);
  }
  await damageFile(log.stack, log.stream);
  await expect.poll(() => messageAt(opened(), count)).toBeDefined();
  readable = [];
  for (const sequence of sequences) if (await messageAt(opened(), sequence)) readable.push(sequence);
  expect(readable.length).toSatisfy((found: number) => found > count / 4 && found < count);
});

it('what can be read behind a file that cannot is found, checked and read', async () => {
  const lost = sequences.filter((sequence) => !readable.includes(sequence));
  expect(await nextReadable(opened(), '>', 1)).toBe(readable[0]);
  expect(await checkLog(opened())).toEqual({ head: count, read: readable.length, unreadable: lost, members: [] });
  const read: number[] = [];
  for await (const page of readUpTo(opened(), { subject: `${log.stream}.1`, from: 1, upTo: count })) {
    read.push(...page.map(({ sequence }) => sequence));
  }
  expect(read).toEqual(readable.filter((sequence) => sequence % 2 === 1));
});
