import { createLexicalEncoder } from '@mneme/models';
import { expect, it } from 'vitest';
import { analyseQuestion, isWithin, withoutNames } from './question.ts';

const lexical = createLexicalEncoder();
const idsOf = (words: string) => new Set(lexical.query(words).indices);

it.each([
  ['Which seats are best on the railway up the Douro?', 'Douro'],
  ['What did “Emil” say to Ana? When did Bob go?', 'Emil Ana Bob'],
  ['Biscuit is ill. Is he?', ''],
  ['Where is the New Year celebrated?', ''],
  ['where is porto', ''],
  ['What did Anna cook on Monday?', 'Anna'],
  ['Who came to Porto three days before Christmas?', 'Porto'],
])('finds what looks like a name in %j', (text, names) => {
  expect(analyseQuestion(text, '2024-06-01', lexical).nameTerms).toEqual(idsOf(names));
});

it.each([
  ['Which tea do I like?', true],
  ['Who told us?', true],
  ['Us and whom did Ben invite?', true],
  ['WHERE DID WE LIVE?', true],
  ['Which US cities did Ben see?', false],
])('tells whether somebody asks about themselves in %j', (text, isInFirstPerson) => {
  expect(analyseQuestion(text, '2024-06-01', lexical).isInFirstPerson).toBe(isInFirstPerson);
});

it.each([
  ['west of UTC', '-05:00', '2024-06-02T04:59:00Z', '2024-06-02T05:00:00Z'],
  ['in UTC', 'Z', '2024-06-01T23:59:00Z', '2024-06-02T00:01:00Z'],
  ['east of UTC', '+05:30', '2024-06-01T18:29:00Z', '2024-06-01T18:30:00Z'],
])('counts an event of which only the day is known to that day, asked %s', (_, offset, last, next) => {
  const { window } = analyseQuestion('What happened yesterday?', `2024-06-02T12:00:00${offset}`, lexical);
  expect(isWithin(new Date('2024-06-01'), window)).toBe(true);
  expect(isWithin(new Date('2024-06-02'), window)).toBe(false);
  expect(isWithin(new Date(last), window)).toBe(true);
  expect(isWithin(new Date(next), window)).toBe(false);
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

it.each([
  ['What happened in March?', true],
  ['What has Kira done before March?', true],
  ['What have I done so far this month?', true],
  ['What did Kira do yesterday?', true],
  ['Where did Kira go yesterday?', false],
  ['What happened to the blue car yesterday?', false],
  ['Who is Kira?', false],
])('tells whether %j asks only what happened at a time', (text, isAboutTime) => {
  expect(analyseQuestion(text, '2026-06-07', lexical).isAboutTime).toBe(isAboutTime);
});

it('tells the numbers of a day from those of other things by the words beside them', () => {
  const numbersOf = (text: string) => analyseQuestion(text, '2026-06-07', lexical).window?.numbers;
  expect(numbersOf('What happened on October 12?')?.get(lexical.sequence('12th')[0] ?? 0)).toEqual(idsOf('October'));
  expect(numbersOf('What happened in 2019?')?.size).toBe(0);
});

it.each([
  ['What did Ben buy before March?', 'Ben buy'],
  ['What did Ben buy after 5 May 2025 in Rome?', 'Ben buy Rome'],
  ['What did Ben buy in March?', 'Ben buy March'],
  ['Did Ben run 5 km before May 5?', 'Ben run 5 km'],
  ['What happened after the September 11 attacks?', 'happened September 11 attacks'],
])('%j is searched by %j', (text, words) => {
  const { terms } = analyseQuestion(text, '2026-06-07', lexical);
  expect(terms.map(({ id }) => id).toSorted()).toEqual(lexical.query(words).indices.toSorted());
});

it.each([
  ['Where does Nadia now live?', true],
  ['Where does Nadia live now, after the move?', true],
  ['What is my current address?', true],
  ['When did I last see Ben?', true],
  ['When was the last time that I saw Ben?', true],
  ['Now that Ben is here, where is Ann?', false],
  ['How long did the war last?', false],
  ["Did Anna's last name change?", false],
  ['What did I buy last Friday?', false],
  ['What did Kira give me last Christmas?', false],
  ['What is the current in the fuse?', false],
  ['By when must I pay at the latest?', false],
])('%j asks for what is so now: %s', (text, asksForLatest) => {
  expect(analyseQuestion(text, '2026-06-07', lexical).asksForLatest).toBe(asksForLatest);
});
