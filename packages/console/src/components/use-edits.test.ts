import { expect, test } from 'vitest';
import { editsOf } from './use-edits.ts';

const key = { name: 'Reader', scopes: ['*'], isActive: true };

test('only fields that differ are edits, also if somebody else has changed others', () => {
  const edits = editsOf(key, { name: 'Writer', scopes: ['*'] });
  expect(edits).toEqual({ name: 'Writer' });
  expect(editsOf({ ...key, isActive: false }, edits)).toEqual({ name: 'Writer' });
});

test('what is changed back is no edit', () => {
  expect(editsOf(key, { name: 'Reader', isActive: false, scopes: [] })).toEqual({ isActive: false, scopes: [] });
});
