import { expect, test } from 'vitest';
import { annotateDates } from '../dates/annotate-dates.ts';
import { readItemDate } from '../dates/calendar.ts';
import { embeddedText } from './embedded-text.ts';

test.each([
  ['I went there yesterday and it was great.'],
  ['We met two weeks ago, last week, last weekend and last month.'],
  ['We moved last summer, skied last winter and marry next year.'],
  ['I was there in March (with Anna), and on Friday too.'],
])('a resolved date is not embedded: %s', (text) => {
  const { text: dated } = annotateDates(text, readItemDate('2023-05-08T13:56:00Z'));
  expect(dated).not.toBe(text);
  expect(embeddedText({ text: dated })).toBe(text);
});

test.each([['It was on 5 June 2022.'], ['We met (in 2022, I think).'], ['I paid (300) for room (12).']])(
  'other text is embedded as it is: %s',
  (text) => {
    expect(embeddedText({ text })).toBe(text);
  },
);
