import { expect, test } from 'vitest';
import { textIn } from './address-fields.ts';

test('a name that looks like a number or a truth value is one, and nothing else is', () => {
  expect(textIn('agent', { agent: 42 })).toEqual({ agent: '42' });
  expect(textIn('agent', { agent: true })).toEqual({ agent: 'true' });
  for (const agent of ['', undefined, null, ['x'], {}]) expect(textIn('agent', { agent })).toEqual({});
});
