import { expect, test } from 'vitest';
import { textIn, validSearch } from './address-fields.ts';

test('a name that looks like a number or a truth value is one, and nothing else is', () => {
  expect(textIn('agent', { agent: 42 })).toEqual({ agent: '42' });
  expect(textIn('agent', { agent: true })).toEqual({ agent: 'true' });
  for (const agent of ['', undefined, null, ['x'], {}]) expect(textIn('agent', { agent })).toEqual({});
});

test('what a route does not read from an address, or finds not valid, has no value', () => {
  const read = validSearch((given) => textIn('agent', given));
  expect({ ...read({ agent: 'x', other: 1 }) }).toEqual({ agent: 'x', other: undefined });
  expect({ agent: null, ...read({ agent: null }) }).toEqual({ agent: undefined });
  expect(read({})).toStrictEqual({});
});
