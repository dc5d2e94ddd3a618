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

test('what has been saved is no edit any more, unless it was changed or changed back meanwhile', () => {
  const saved = { name: 'Writer', scopes: ['memory:read'], isActive: false };
  const changes = { name: 'Editor', scopes: ['memory:read'], isActive: true };
  expect(editsOf<typeof key>(saved, changes)).toEqual({ name: 'Editor', isActive: true });
  expect(editsOf<typeof key>({ name: 'Writer' }, { name: 'Writer', isActive: false })).toEqual({ isActive: false });
});
