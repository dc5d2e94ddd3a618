import { describe, expect, it } from 'vitest';
import type { AsyncDecider, Decider } from '../execute.ts';
import { specify } from './spec.ts';

interface Added {
  readonly type: 'Added';
  readonly amount: number;
}

class TooMuchError extends Error {
  readonly code = 'too-much';
}

const added = (amount: number): Added => ({ type: 'Added', amount });

/** Adds up to ten at most; nothing follows from adding 0. */
const sum: Decider<number, number, Added> = {
  initialState: 0,
  decide: (amount, total) => {
    if (total + amount > 10) throw new TooMuchError(`${total + amount} is more than 10`);
    return amount === 0 ? [] : [added(amount)];
  },
  evolve: (total, { amount }) => total + amount,
};

describe('of a synchronous decider', () => {
  it('compares the events that are decided', () => {
    specify(sum)
      .when(4)
      .then([added(4)]);
    specify(sum)
      .given([added(9)])
      .when(0)
      .then([]);
    specify(sum)
      .given([added(3)])
      .when(4)
      .then([expect.objectContaining({ amount: 4 })]);
    expect(() =>
      specify(sum)
        .when(4)
        .then([added(5)]),
    ).toThrow(/deeply equal/);
  });

  it('recognises a refusal by code, message, class or properties', () => {
    const refused = specify(sum)
      .given([added(4)])
      .given([added(5)])
      .when(2);
    for (const matcher of ['too-much', /11 is more/, TooMuchError, { code: 'too-much' }]) refused.thenRefuses(matcher);
    for (const matcher of ['other', /12/, TypeError, { code: 'other' }]) {
      expect(() => refused.thenRefuses(matcher)).toThrow(expect.objectContaining({ name: 'AssertionError' }));
    }
  });

  it('fails with the refusal where events are expected, and the other way round', () => {
    expect(() =>
      specify(sum)
        .when(11)
        .then([added(11)]),
    ).toThrow(TooMuchError);
    expect(() => specify(sum).when(4).thenRefuses('too-much')).toThrow('decided [{"type":"Added","amount":4}]');
  });
});

it('of an asynchronous decider it is awaited', async () => {
  const later: AsyncDecider<number, number, Added> = {
    ...sum,
    decide: async (amount, total, { revision }) => sum.decide(amount + revision, total),
  };
  await specify(later)
    .given([added(1)])
    .when(4)
    .then([added(5)]);
  await specify(later)
    .given([added(9)])
    .when(4)
    .thenRefuses('too-much');
  await expect(specify(later).when(4).then([])).rejects.toThrow(/deeply equal/);
});
