import { expect, it } from 'vitest';
import { createFailureLimit } from './failure-limit.ts';

const limit = 3;

function limitAt() {
  const time = { now: 1_000_000_000 };
  const failures = createFailureLimit({ limit, clock: () => time.now });
  const fail = (address: string, times = limit) => {
    for (let count = 0; count < times; count += 1) failures.failed(address, `bad-${count}`);
  };
  return { time, failures, fail };
}

it('stops an address at its limit, until the first failures are a minute old', () => {
  const { time, failures, fail } = limitAt();
  fail('10.0.0.1', limit - 1);
  expect(failures.secondsToWait('10.0.0.1', 'x')).toBeUndefined();
  fail('10.0.0.1', 1);
  expect(failures.secondsToWait('10.0.0.1', 'x')).toBe(60);
  expect(failures.secondsToWait('10.0.0.2', 'x')).toBeUndefined();
  time.now += 60_000;
  expect(failures.secondsToWait('10.0.0.1', 'x')).toBeUndefined();
});

it('admits a credential that was valid recently, until it fails or five minutes have passed', () => {
  const { time, failures, fail } = limitAt();
  failures.accepted('valid');
  fail('10.0.0.1');
  expect(failures.secondsToWait('10.0.0.1', 'valid')).toBeUndefined();
  failures.failed('10.0.0.1', 'valid');
  expect(failures.secondsToWait('10.0.0.1', 'valid')).toBeGreaterThan(0);
  failures.accepted('better');
  time.now += 5 * 60_000;
  fail('10.0.0.1');
  expect(failures.secondsToWait('10.0.0.1', 'better')).toBeGreaterThan(0);
});

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8::1', '2001:db8:0:0:5::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::1', '::2', true],
])('counts %s and %s together: %s', (first, second, isTogether) => {
  const { failures, fail } = limitAt();
  fail(first);
  expect(failures.secondsToWait(second, 'x') !== undefined).toBe(isTogether);
});

it('remembers a bounded number of addresses', () => {
  const { failures, fail } = limitAt();
  fail('first');
  for (let index = 0; index < 10_000; index += 1) failures.failed(`address-${index}`, 'x');
  expect(failures.secondsToWait('first', 'x')).toBeUndefined();
});
