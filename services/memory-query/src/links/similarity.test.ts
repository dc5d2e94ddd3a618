import { describe, expect, it } from 'vitest';
import { createRows } from '../testing/rows.ts';
import { type Comparable, repeatedUnit } from './similarity.ts';

const rows = createRows();
const tea = rows.unit('The tea is green.', { _id: 'tea', version: 0 });

/** A stored unit that a fact is compared with, to which its vector is equal. */
function stored(text: string, change: Partial<Comparable> = {}): Comparable {
  const { eventDate } = tea;
  return { ...rows.unit(text), _id: text, eventDate, cosine: 1, ...change };
}

function repeated(...similar: readonly Comparable[]) {
  return repeatedUnit(tea, similar)?._id;
}

describe('a fact repeats', () => {
  it('the most similar unit that states the same', () => {
    const others = [
      stored('The tea is black.'),
      stored('the tea is green!', { cosine: 0.98 }),
      stored('A tea is green.'),
    ];
    expect(repeated(...others)).toBe('A tea is green.');
  });

  it('a unit with a filler more or less', () => {
    expect(repeated(stored('The tea is actually green.'))).toBe('The tea is actually green.');
  });

  it('the newest of equally similar ones', () => {
    expect(repeated(stored('the tea is green', { ordinal: 1 }), stored('A tea is green.', { ordinal: 2 }))).toBe(
      'A tea is green.',
    );
  });
});

it.each<[string, Partial<Comparable>]>([
  ['states something else', { text: 'The tea was green.' }],
  ['has other names', { entities: [{ name: 'Tea', type: 'OTHER' }] }],
  ['has a vector that is less similar', { cosine: 0.95 }],
  ['is of another type', { factType: 'opinion' }],
  ['is of another document', { documentKey: 'doc' }],
  ['has other metadata', { tags: ['lang=en'] }],
  ['was stated in another setting', { setting: 'ticket' }],
  ['is of another time', { eventDate: new Date(tea.eventDate.getTime() - 3_600_001) }],
  ['is of a version that is being replaced', { submitted: -1 }],
])('a fact repeats no unit that %s', (_, change) => {
  expect(repeated(stored('The tea is green.'))).toBe('The tea is green.');
  expect(repeated(stored('The tea is green.', change))).toBeUndefined();
});
