import { expect, it } from 'vitest';
import { endsWithQuestion, hasDate } from './unit-form.ts';

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
