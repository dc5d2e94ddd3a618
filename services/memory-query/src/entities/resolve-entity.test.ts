import type { Entity } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { entityName } from './entity-name.ts';
import { resolveEntity } from './resolve-entity.ts';

type Type = Entity['type'];

const known = (name: string, type: Type = 'PERSON', ...more: string[]) => ({
  type,
  aliases: [name, ...more].map((each) => entityName(each).key),
});

const isSame = (left: string, right: string, type: Type) =>
  resolveEntity({ name: right, type }, [known(left, type)]) !== undefined;

it.each<[string, string, Type]>([
  ['Alice', 'alice', 'PERSON'],
  ['Alice Chen', 'ALICE  CHEN', 'PERSON'],
  ['Alice Chen', "Alice Chen's", 'PERSON'],
  ['Alice', 'Alice Chen', 'PERSON'],
  ['Alice Chen', 'Alice', 'PERSON'],
  ['Alice Chen', 'Dr. Chen', 'PERSON'],
  ['Dr. Alice Chen', 'Alice Chen', 'PERSON'],
  ['Alice M. Chen', 'Alice Chen', 'PERSON'],
  ['Alice Marie Chen', 'Alice M. Chen', 'PERSON'],
  ['José', 'JOSÉ', 'PERSON'],
  ['O’Brien', 'o’brien', 'PERSON'],
  ['Acme', 'Acme Inc.', 'ORG'],
  ['Acme Corp', 'ACME', 'ORG'],
  ['The Beatles', 'Beatles', 'ORG'],
  ['Lisbon', 'lisbon', 'PLACE'],
  ['the Louvre', 'Louvre', 'PLACE'],
  ['New  York', 'new york', 'PLACE'],
  ['Room 101', 'room 101', 'PLACE'],
  ['iPhone 15', 'IPHONE 15', 'PRODUCT'],
  ['C++', 'c++', 'CONCEPT'],
  ['日本', '日本', 'PLACE'],
])('the same: %s and %s as %s', (left, right, type) => {
  expect(isSame(left, right, type)).toBe(true);
});

it.each<[string, string, Type]>([
  ['Room 101', 'Room 102', 'PLACE'],
  ['Room 101', 'Room', 'PLACE'],
  ['iPhone 14', 'iPhone 15', 'PRODUCT'],
  ['iPhone', 'iPhone 15', 'PRODUCT'],
  ['Flight 7', 'Flight 70', 'OTHER'],
  ['Agent 47', 'Agent', 'PERSON'],
  ['Henry 4', 'Henry 5', 'PERSON'],
  ['Alice Chen', 'Alice Smith', 'PERSON'],
  ['Alice Chen', 'Bob Chen', 'PERSON'],
  ['Alice Chen', 'Chen', 'PERSON'],
  ['Alice Chen', 'Mr. Alice', 'PERSON'],
  ['Alice', 'Alicia', 'PERSON'],
  ['Anna', 'Ann', 'PERSON'],
  ['Alice B. Chen', 'Alice M. Chen', 'PERSON'],
  ['Alice Marie Chen', 'Alice Maria Chen', 'PERSON'],
  ['York', 'New York', 'PLACE'],
  ['Lisbon', 'Lisbon Airport', 'PLACE'],
  ['Acme Labs', 'Acme', 'ORG'],
  ['Bank of England', 'England', 'ORG'],
  ['Apple', 'Apple Pie', 'PRODUCT'],
  ['C', 'C++', 'CONCEPT'],
  ['C++', 'C#', 'CONCEPT'],
])('different: %s and %s as %s', (left, right, type) => {
  expect(isSame(left, right, type)).toBe(false);
});

it('does not guess when two people fit', () => {
  expect(resolveEntity({ name: 'Alice', type: 'PERSON' }, [known('Alice Chen'), known('Alice Smith')])).toBeUndefined();
});

it('keeps a first name with the person that it was given to', () => {
  const chen = known('Alice Chen', 'PERSON', 'Alice');
  expect(resolveEntity({ name: 'Alice', type: 'PERSON' }, [chen, known('Alice Smith')])).toBe(chen);
  expect(resolveEntity({ name: 'Alice Smith', type: 'PERSON' }, [chen])).toBeUndefined();
});

it('treats the same name as the same entity, whatever its type', () => {
  expect(resolveEntity({ name: 'Mercury', type: 'PLACE' }, [known('Mercury', 'OTHER')])).toBeDefined();
});

it('matches parts of names between people only', () => {
  expect(resolveEntity({ name: 'Paris', type: 'PLACE' }, [known('Paris Hilton')])).toBeUndefined();
});
