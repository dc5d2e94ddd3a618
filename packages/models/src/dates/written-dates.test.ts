import { expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';
import { writtenDates } from './written-dates.ts';

/** The first and the last day of each date. */
function datesOf(text: string): string[] {
  return writtenDates(text).map(({ from, to }) => {
    return `${from.slice(0, 10)} ${new Date(Date.parse(to) - 1).toISOString().slice(0, 10)}`;
  });
}

test.each([
  ['I ran yesterday.', '2023-05-07 2023-05-07'],
  ['I ran last week.', '2023-05-01 2023-05-07'],
  ['I ran last weekend.', '2023-05-06 2023-05-07'],
  ['I ran last month.', '2023-04-01 2023-04-30'],
  ['I ran last winter.', '2022-12-01 2023-02-28'],
  ['I ran last autumn.', '2022-09-01 2022-11-30'],
  ['I ran last year.', '2022-01-01 2022-12-31'],
])('reads the date that extraction adds to %j', (text, date) => {
  expect(datesOf(annotateDates(text, readItemDate('2023-05-08T13:56:00Z')).text)).toEqual([date]);
});

test.each([
  ['We moved on May 7th, 2023.', ['2023-05-07 2023-05-07']],
  ['Since the 7th of May 2023 we live here.', ['2023-05-07 2023-05-07']],
  ['We moved (2023-05-07).', ['2023-05-07 2023-05-07']],
  ['We moved in May of 2023, not in Sept. 2022.', ['2023-05-01 2023-05-31', '2022-09-01 2022-09-30']],
  ['In 2023 we moved, after the summer of 2019.', ['2023-01-01 2023-12-31', '2019-06-01 2019-08-31']],
])('reads a date that stands in %j with its year', (text, dates) => {
  expect(datesOf(text)).toEqual(dates);
});

test.each([
  'We moved on 7 May.',
  'We moved in May.',
  'It is 2023 m away, in 20233 or in 2023-13-45.',
  'Room (101) is free.',
])('reads none in %j', (text) => {
  expect(datesOf(text)).toEqual([]);
});
