import { expect, it } from 'vitest';
import { documentIdOf, idPrefixOf, pathOf, refOf } from './item-document.ts';

it.each([
  [['users', 'u1'], 'profile', 'langgraph/users/u1/profile'],
  [['a/b', 'c%2F'], '%/', 'langgraph/a%2Fb/c%252F/%25%2F'],
  [['日本'], '..', 'langgraph/日本/..'],
  [['a'], '', 'langgraph/a/'],
])('an item in %j with the key %j is the document %j', (namespace, key, id) => {
  expect(documentIdOf({ namespace, key })).toBe(id);
  expect(refOf(id)).toEqual({ namespace, key });
  expect(id.startsWith(idPrefixOf(namespace))).toBe(true);
});

it('other documents are no items', () => {
  for (const id of ['langgraph', 'notes/1', 'Langgraph/a/k', 'chat']) expect(refOf(id)).toBeUndefined();
});

it('paths are different for different namespaces', () => {
  expect(pathOf(['a', 'b'])).not.toBe(pathOf(['a/b']));
  expect(pathOf(['a', 'b'])).not.toBe(pathOf(['a%2Fb']));
});
