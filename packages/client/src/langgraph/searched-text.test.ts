import { expect, it } from 'vitest';
import { searchedText, wholeValue } from './searched-text.ts';

const value = {
  title: 'Lisbon',
  author: { name: 'Ana', born: 1990 },
  tags: ['sea', 'hills'],
  chapters: [{ title: 'Alfama' }, { title: 'Belém', pages: 12 }],
  draft: false,
  note: null,
  none: [],
};

it.each<[string, unknown, string[], string]>([
  ['a value of one text', { text: 'I moved to Lisbon.' }, [wholeValue], 'I moved to Lisbon.'],
  ['a field', value, ['title'], 'Lisbon'],
  ['a nested field', value, ['author.name'], 'Ana'],
  ['a number', value, ['author.born'], '1990'],
  ['several fields', value, ['title', 'author.name'], 'Lisbon\nAna'],
  ['the members of a list', value, ['chapters[*].title'], 'Alfama\nBelém'],
  ['one member of a list', value, ['chapters[1].title'], 'Belém'],
  ['the last member of a list', value, ['chapters[-1].pages'], '12'],
  ['a list', value, ['tags'], 'sea, hills'],
  ['an object', value, ['author'], 'name: Ana\nborn: 1990'],
  ['any member', value, ['author.*'], 'Ana\n1990'],
  ['nothing', value, ['missing', 'title.deeper', 'note', 'none', 'constructor', 'chapters[9]'], ''],
  ['a field of a list, which has none', value, ['chapters.title', 'chapters.0x1.title', 'tags.name'], ''],
  ['no field', value, [], ''],
])('%s', (_, from, fields, text) => {
  expect(searchedText(from, fields).trim()).toBe(text);
});

it('the whole value is a line for each text, number and boolean in it', () => {
  expect(searchedText(value, [wholeValue]).split('\n')).toEqual([
    'title: Lisbon',
    'author.name: Ana',
    'author.born: 1990',
    'tags: sea, hills',
    'chapters.0.title: Alfama',
    'chapters.1.title: Belém',
    'chapters.1.pages: 12',
    'draft: false',
  ]);
});
