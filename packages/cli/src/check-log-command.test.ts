import { expect, test } from 'vitest';
import { describeLogChecks } from './check-log-command.ts';

const whole = { head: 9, read: 7, unreadable: [], members: [] };

test('a log of which nothing is missing is a line for each stream', () => {
  const empty = { head: 0, read: 0, unreadable: [], members: [] };
  expect(
    describeLogChecks([
      ['MEMORY', whole],
      ['ACCESS', empty],
    ]),
  ).toBe('MEMORY\t7 events up to 9\tnone missing\nACCESS\t0 events up to 0\tnone missing');
});

test('what cannot be read is named, and what to do', () => {
  const unreadable = Array.from({ length: 30 }, (_, index) => index + 1);
  const [line, missing, advice] = describeLogChecks([
    ['MEMORY', { ...whole, unreadable }],
    ['ACCESS', undefined],
  ]).split('\n');
  expect(line).toMatch(/^MEMORY\t7 events up to 9\t30 cannot be read: 1, 2, .*, 19, 20, …$/);
  expect(missing).toBe('ACCESS\tthere is no such stream');
  expect(advice).toMatch(/Restore the log from a backup first/);
});

test('one server of several that lacks events is named, and one that was not checked', () => {
  const member = { lacking: [], isUnchecked: false };
  const members = [
    { ...member, server: 'nats-0' },
    { ...member, server: 'nats-1', lacking: [[4, 4] as const, [7, 30] as const] },
    { ...member, server: 'nats-2', isUnchecked: true },
  ];
  const [line, ...advice] = describeLogChecks([['MEMORY', { ...whole, members }]]).split('\n');
  expect(line).toBe(
    'MEMORY\t7 events up to 9\tnats-1 lacks 25 that others have: 4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, …; nats-2 is away or behind, and was not checked',
  );
  expect(advice).toEqual([
    expect.stringMatching(/damaged on nats-1\. .*Empty the store of one such server/),
    expect.stringMatching(/^Repeat this when all servers/),
  ]);
});
