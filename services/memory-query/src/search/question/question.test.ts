import { createLexicalEncoder } from '@mneme/models';
import { expect, it } from 'vitest';
import { analyseQuestion, withoutNames } from './question.ts';

const lexical = createLexicalEncoder();
const idsOf = (words: string) => new Set(lexical.query(words).indices);

it.each([
  ['Which seats are best on the railway up the Douro?', 'Douro'],
  ['What did “Emil” say to Ana? When did Bob go?', 'Emil Ana Bob'],
  ['Biscuit is ill. Is he?', ''],
  ['Where is the New Year celebrated?', ''],
  ['where is porto', ''],
])('finds what looks like a name in %j', (text, names) => {
  expect(analyseQuestion(text, '2024-06-01', lexical).nameTerms).toEqual(idsOf(names));
});

it('recognises words of almost any text, in all their forms', () => {
  const { terms } = analyseQuestion('Who enjoyed taking the cellos away?', '2024-06-01', lexical);
  const [cello] = lexical.query('cello').indices;
  expect(terms.filter(({ isCommon }) => !isCommon).map(({ id }) => id)).toEqual([cello]);
});

it.each([
  ["What is Ana's job, and whose boat did Bob row?", 'What is job, and whose boat did row?'],
  ['Where does the Douro end?', 'Where does the end?'],
  ['Porto', 'Porto'],
  ['where is porto', 'where is porto'],
])('leaves the names out of %j', (text, rest) => {
  expect(withoutNames(text)).toBe(rest);
});
