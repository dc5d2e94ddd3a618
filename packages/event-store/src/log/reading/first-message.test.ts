import { beforeEach, expect, it } from 'vitest';
import { openEraser } from '../../erasure/eraser.ts';
import { behindFor } from '../../testing/slow-connections.ts';
import { context, counted, useTestLog } from '../../testing/test-log.ts';
import { openLog } from '../log.ts';
import { firstMessage } from './first-message.ts';

const log = useTestLog();
let subject: string;
beforeEach(async () => {
  subject = `${log.stream}.a`;
  await log.store.append(`${log.stream}.b`, [counted(1)], 0, context);
  await log.store.append(subject, [counted(2), counted(3), counted(4)], 0, context);
  await openEraser(log.connection, log.stream).erase([3]);
});

it.each([
  ['that has it', 0],
  ['that is behind the leader', 1],
])('reads the first message from a sequence on, whichever replica answers: one %s', async (_, reads) => {
  const read = (from: number, pattern = subject) =>
    firstMessage(openLog(behindFor(log.connection, reads), log.stream), pattern, from);
  const first = await read(1);
  expect(first).toMatchObject({ stream: log.stream, sequence: 2, subject });
  expect(new TextDecoder().decode(first?.data)).toBe('{"n":2}');
  expect(first?.headers?.get('ce-type')).toBe('Counted');
  expect((await read(1, '>'))?.sequence).toBe(1);
  // The one at 3 was erased.
  expect((await read(3))?.sequence).toBe(4);
  expect(await read(5)).toBeUndefined();
  expect(await read(1, `${log.stream}.c`)).toBeUndefined();
});
