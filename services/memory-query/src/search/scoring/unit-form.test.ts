import { createLexicalEncoder } from '@mneme/models';
import { expect, it } from 'vitest';
import { analyseQuestion } from '../question/question.ts';
import { endsWithQuestion, hasDate, isMereReply } from './unit-form.ts';

const lexical = createLexicalEncoder();

it.each([
  ['Jody: Yes!', true],
  ['Jody: I see, cool', true],
  ['Jody: 😀', true],
  ['Jody: No, Kyoto.', false],
  ['Jody: 40', false],
  ['Jody: I live there.', false],
  ['Jody: In Nice.', false],
  ['Living in Japan: yes', false],
  ['Yes', false],
])('tells whether %j is nothing but a reply', (text, isReply) => {
  const question = analyseQuestion('Does Jody live in Japan?', '2026-01-01', lexical);
  expect(isMereReply(text, question, lexical)).toBe(isReply);
});

it.each([
  ['Where are you?', true],
  ['Where are you? ', true],
  ['Alice: How was it yesterday (7 May 2023)?', true],
  ['Alice: Look at this? [shared image: a cat]', true],
  ['Did you go? (8 May 2023)', true],
  ['Did you go? I did.', false],
  ['No.', false],
])('tells whether %j ends with a question', (text, isQuestion) => {
  expect(endsWithQuestion(text)).toBe(isQuestion);
});

it.each([
  ['I went yesterday (7 May 2023).', true],
  ['I moved last spring (spring 2026).', true],
  ['That was ten years ago (2013).', true],
  ['I (Maybe) went.', false],
  ['Room (101) is free.', false],
])('tells whether %j contains a resolved date', (text, isDated) => {
  expect(hasDate(text)).toBe(isDated);
});
