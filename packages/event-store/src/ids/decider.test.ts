import type { IdEvent } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { specify } from '../testing/spec.ts';
import { assignmentDecider, idDecider } from './decider.ts';

const taken = (number: number): IdEvent => ({ type: 'NumberTaken', data: { kind: 'key', number } });
const assigned: IdEvent = { type: 'NumberAssigned', data: { kind: 'key', number: 7, commandId: 'c' } };
const assign = (take: () => Promise<number>) => ({ type: 'AssignId', kind: 'key', commandId: 'c', take }) as const;

it('ids count from 1, and go on after one that the log does not know', () => {
  const take = { type: 'TakeId', kind: 'key', above: 0 } as const;
  specify(idDecider)
    .when(take)
    .then([taken(1)]);
  specify(idDecider)
    .given([taken(41)])
    .when(take)
    .then([taken(42)]);
  specify(idDecider)
    .given([taken(41)])
    .when({ ...take, above: 50 })
    .then([taken(51)]);
});

it('a command gets an unused id', async () => {
  await specify(assignmentDecider)
    .when(assign(async () => 7))
    .then([assigned]);
});

it('a command that has an id takes no other, so retries are safe', async () => {
  await specify(assignmentDecider)
    .given([assigned])
    .when(assign(async () => expect.unreachable()))
    .then([]);
});

it('each decider refuses the events of the other', () => {
  expect(() => idDecider.evolve(0, assigned)).toThrow('does not belong');
  expect(() => assignmentDecider.evolve(undefined, taken(1))).toThrow('does not belong');
});
