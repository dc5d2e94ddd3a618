import { describe, expect, it } from 'vitest';
import { cut, splitSentences } from './sentences.ts';

it('takes time in proportion to the text, also for one without capital letters', () => {
  const text = 'aa bb. cc dd! '.repeat(50_000);
  const startedAt = performance.now();
  expect([...splitSentences(text)]).toHaveLength(100_000);
  // When each sentence read the whole text again, it took half a minute.
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it('leaves out what is blank, however long it is', () => {
  const text = `Bob sings.${' '.repeat(50_000)}\u200b${'\t'.repeat(5_000)}The end.`;
  const parts = [...cut(text, 0, text.length)].map(({ start, end }) => text.slice(start, end).trim());
  expect(parts).toEqual(['Bob sings.', 'The end.']);
});

describe('JSON on one line is cut', () => {
  const persons = Array.from({ length: 300 }, (_, id) => ({ id, name: `Person ${id}`, city: 'Oslo, Norway' }));
  const spaced = (json: string) => json.replace(/(?<=[}"\d]),(?=["{])/g, ', ');

  it.each<[string, readonly unknown[], string]>([
    ['between records', persons, JSON.stringify(persons)],
    ['between records with blanks', persons, spaced(JSON.stringify(persons))],
    ['between records in a field', persons, JSON.stringify({ items: persons, total: 300 })],
    ['between arrays', persons.map(Object.values), JSON.stringify(persons.map(Object.values))],
    ['between strings', persons.map(({ name }) => name), JSON.stringify(persons.map(({ name }) => name))],
    ['between numbers', persons.map(({ id }) => id + 1_000), JSON.stringify(persons.map(({ id }) => id + 1_000))],
    [
      'between long records',
      persons.map((each) => ({ ...each, note: 'n'.repeat(600) })),
      JSON.stringify(persons.map((each) => ({ ...each, note: 'n'.repeat(600) }))),
    ],
  ])('%s', (_, records, text) => {
    const parts = [...cut(text, 0, text.length)].map(({ start, end }) => text.slice(start, end));
    expect(parts.join('')).toBe(text);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    const joined = parts.map((part) => part.replaceAll(', "', ',"'));
    const divided = records.map((each) => JSON.stringify(each).replaceAll(', "', ',"'));
    expect(divided.filter((each) => !joined.some((part) => part.includes(each)))).toEqual([]);
  });

  it('and other long texts at a space', () => {
    const text = 'they said that, as in the past, nothing would be done '.repeat(40);
    const parts = [...cut(text, 0, text.length)].map(({ start, end }) => text.slice(start, end));
    expect(parts.every((part) => part.endsWith(' '))).toBe(true);
    expect(parts[0]?.length).toBeGreaterThan(990);
  });
});

describe('a mark within or in front of a word ends no sentence', () => {
  it.each([
    ['We use .NET at work. We like it.', ['We use .NET at work.', 'We like it.']],
    ['The .DS_Store is ignored. Put keys in .Env files.', ['The .DS_Store is ignored.', 'Put keys in .Env files.']],
    ['Old code (.NET only) is here. Bob left.', ['Old code (.NET only) is here.', 'Bob left.']],
    ['He left .Then Bob came.', ['He left .', 'Then Bob came.']],
    [
      'The trip was great.\n![Anna at the Colosseum](IMG_1.jpg)\nWe ate pizza.',
      ['The trip was great.', '![Anna at the Colosseum](IMG_1.jpg)', 'We ate pizza.'],
    ],
    ['Look![Anna](a.jpg) We ate.', ['Look![Anna](a.jpg) We ate.']],
    ['![](IMG_1.jpg)\nWe ate.', ['![](IMG_1.jpg)', 'We ate.']],
    [
      '[![Build Status](https://x.org/y.svg)](https://x.org)\nWe ate.',
      ['[![Build Status](https://x.org/y.svg)](https://x.org)', 'We ate.'],
    ],
  ])('%j', (text, expected) => {
    expect([...splitSentences(text)].map(({ start, end }) => text.slice(start, end).trim())).toEqual(expected);
  });
});

describe("the full stop of a month and of 'St.' ends a sentence before a word that begins one", () => {
  it.each([
    ...'Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec'
      .split(' ')
      .map((month) => `Her visa expires on 12 ${month}.| I moved to Rome.`),
    'I live at 12 Main St.| My neighbour is Bob.',
    'We fell on the Mt.| The guide helped us.',
    'I met Jan.| He lives in Rome.',
    'The lease ends on 3 Nov.| A friend helps me.',
    "It began in Feb.| I've seen it.",
    'We work until 5 Sept.| The shop closes then.',
    'I live in Washington D.C.| My dog is old.',
  ])('%s', (text) => {
    const whole = text.replace('|', '');
    const parts = [...splitSentences(whole)].map(({ start, end }) => whole.slice(start, end).trim());
    expect(parts).toEqual(text.split('|').map((part) => part.trim()));
  });

  it.each([
    'The invoice is due on 12 Dec. 2026 at noon.',
    'We met at St. Mary in Leeds.',
    'The church of St. Ann is old.',
    'We climbed Mt. Etna in spring.',
    'The wall is 5 ft. 3 high.',
    'On 12 Dec. I moved to Rome.',
    'In Oct. My sister got married.',
    'Anna: Since Feb. I have a cat.',
    'He said that in Dec. I could come.',
    'I was ill, but on 3 Mar. I went to work.',
    'At the end of Nov. We go home.',
    'From 3 Jan. to 5 Feb. we travel.',
    'I met Dr. He at noon.',
    'She came on 4 Oct. (a Tuesday) by train.',
  ])('but not in %s', (text) => {
    expect([...splitSentences(text)].map(({ start, end }) => text.slice(start, end))).toEqual([text]);
  });
});
