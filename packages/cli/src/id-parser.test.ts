import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { idParser } from './id-parser.ts';

test('an id is a whole number greater than 0, and other texts are refused with what to do', () => {
  const parse = idParser('Use another one.');
  expect(parse('12')).toBe(12);
  for (const text of ['0', '1e3', ' 1', '-1', '']) {
    expect(() => parse(text)).toThrow(new InvalidArgumentError('Use another one.'));
  }
});
