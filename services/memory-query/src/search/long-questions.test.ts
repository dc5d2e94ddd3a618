import { createLexicalEncoder } from '@mneme/models';
import { longestStallOf } from '@mneme/workers/testing';
import { expect, it } from 'vitest';
import { analyseQuestion, names } from './question/question.ts';
import { endsWithQuestion, hasDate } from './scoring/unit-form.ts';

const lexical = createLexicalEncoder();
const askedAt = '2024-05-05T10:00:00Z';
/** The longest question that is taken. */
const longest = 8 * 1_024;
/** Usually five at most. */
const longestStallMs = 50;
const filled = (unit: string) => unit.repeat(longest / unit.length + 1).slice(0, longest);

it.each([
  ['one long word and many dates', 'a'.repeat(1_000) + filled(' June 7 May 2023 in April of 2022')],
  ['dates', filled('June 7 May 2023 in April of 2022 ')],
  ['months', filled('May ')],
  ['days ago', filled(Array.from({ length: 800 }, (_, index) => `${index} days ago`).join(' '))],
  ['dates within dates', filled('the first week of the end of the month before May of ')],
  ['ranges', filled('from Monday to Friday and ')],
  ['blanks', `When${filled(' ')}May?`],
  ['articles', filled('in the ')],
  ['letters', filled('a')],
  ['numbers', filled('12/')],
  ['names', filled('a Ab ')],
  ['quotes', filled('“')],
])('a question of 8 KB is analysed quickly: %s', async (_, text) => {
  analyseQuestion('When was that?', askedAt, lexical);
  const stallMs = await longestStallOf(async () => {
    analyseQuestion(text.slice(0, longest), askedAt, lexical);
  }, longestStallMs);
  expect(stallMs).toBeLessThan(longestStallMs);
});

it('the person that a question names is found quickly among thousands', async () => {
  const question = analyseQuestion(filled('Did Ana or bob sing? '), askedAt, lexical);
  expect(['Ana', 'BOB', 'An', 'Carol'].filter((person) => names(question, person))).toEqual(['Ana', 'BOB']);
  const stallMs = await longestStallOf(async () => {
    for (let person = 0; person < 5_000; person += 1) names(question, `Person ${person}`);
  }, longestStallMs);
  expect(stallMs).toBeLessThan(longestStallMs);
});

it.each([
  ['open brackets', '(May '.repeat(20_000)],
  ['months in brackets', `(${'May '.repeat(20_000)}`],
  ['notes', '[a] (b) '.repeat(10_000)],
  ['blanks', `a${' '.repeat(80_000)}b`],
])('the form of a text is recognised quickly, whatever its length: %s', async (_, text) => {
  const stallMs = await longestStallOf(async () => {
    endsWithQuestion(text);
    hasDate(text);
  }, longestStallMs);
  expect(stallMs).toBeLessThan(longestStallMs);
});
