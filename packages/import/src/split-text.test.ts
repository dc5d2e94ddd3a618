import { expect, test } from 'vitest';
import { splitText } from './split-text.ts';

test('a text is split between paragraphs, else lines, sentences or words', () => {
  expect(splitText('one two\n\nthree four', 12)).toEqual(['one two', 'three four']);
  expect(splitText('one two\nthree four', 12)).toEqual(['one two', 'three four']);
  expect(splitText('One two. Three four.', 12)).toEqual(['One two.', 'Three four.']);
  expect(splitText('one two three four', 12)).toEqual(['one two', 'three four']);
});

test('a text without such places is split anywhere but within a character', () => {
  expect(splitText('aaaaaaaaaa', 4)).toEqual(['aaaa', 'aaaa', 'aa']);
  expect(splitText('a😀😀b', 2)).toEqual(['a', '😀', '😀', 'b']);
});

test('a short text stays as it is, and a blank one has no parts', () => {
  expect(splitText(' a b \n', 100)).toEqual(['a b']);
  expect(splitText(' \n ', 100)).toEqual([]);
});
