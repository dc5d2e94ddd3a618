import { expect, it } from 'vitest';
import { tagFilter, tagsOf } from './tags.ts';

const matches = (metadata: Parameters<typeof tagsOf>[0], filter: Parameters<typeof tagFilter>[0]) => {
  const own = new Set(tagsOf(metadata));
  const { tags, withoutTags } = tagFilter(filter);
  return tags.every((any) => any.some((tag) => own.has(tag))) && withoutTags.every((tag) => !own.has(tag));
};

it.each([
  [{ a: 'x' }, { a: { in: ['x'] } }, true],
  [{ a: 'x' }, { a: { in: ['y', 'x'] } }, true],
  [{ a: 'x' }, { b: { in: ['x'] } }, false],
  [{ a: 1 }, { a: { in: ['1'] } }, false],
  [{ a: null }, { a: { in: [null] } }, true],
  [{ a: null }, { a: { exists: true } }, true],
  [{}, { a: { exists: true } }, false],
  [{}, { a: { exists: false } }, true],
  [{ a: false }, { a: { exists: false } }, false],
  [{ a: ['x', 'y'] }, { a: { in: ['y'] } }, true],
  [{ a: [] }, { a: { exists: true } }, true],
  [{ a: 'x', b: 'y' }, { a: { in: ['x'] }, b: { in: ['z'] } }, false],
  [{ 'a","x': 1 }, { a: { in: ['x'] } }, false],
])('%j matches %j: %s', (metadata, filter, expected) => expect(matches(metadata, filter)).toBe(expected));

it('does not depend on the order of keys', () => expect(tagsOf({ a: 1, b: 2 })).toEqual(tagsOf({ b: 2, a: 1 })));
