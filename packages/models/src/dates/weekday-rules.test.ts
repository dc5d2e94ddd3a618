import { describe, expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';
import { isoDayText } from './date-words.ts';

/** A text with its dates, and the days that it names. */
function read(text: string, eventDate = '2023-05-10T12:00:00Z') {
  const { text: dated, days } = annotateDates(text, readItemDate(eventDate));
  return [dated, days.map(isoDayText).join(' ')];
}

describe('a date behind a weekday stands alone', () => {
  test.each([
    ['We met on Friday, May 12, 2017.', 'We met on Friday, May 12, 2017.', '2017-05-12'],
    ['She died on Sunday 14 June 2020.', 'She died on Sunday 14 June 2020.', '2020-06-14'],
    ['It was on Monday, 3 April 2017 in Porto.', 'It was on Monday, 3 April 2017 in Porto.', '2017-04-03'],
    ['We met last Friday, 5 May 2023.', 'We met last Friday, 5 May 2023.', '2023-05-05'],
    ['We met on Friday evening (May 12, 2017).', 'We met on Friday evening (May 12, 2017).', '2017-05-12'],
    ['We met on Friday, the 5th of May, 2017.', 'We met on Friday, the 5th of May, 2017.', '2017-05-05'],
    ['We met on Friday, 2017-05-12.', 'We met on Friday, 2017-05-12.', '2017-05-12'],
    ['We met on Friday, 12/05/2017.', 'We met on Friday, 12/05/2017.', ''],
    ['We met on May 12, 2017, on Friday.', 'We met on May 12, 2017, on Friday.', '2017-05-12'],
    [
      'On Monday and Tuesday, 3 April 2017, it rained.',
      'On Monday and Tuesday, 3 April 2017, it rained.',
      '2017-04-03',
    ],
    ['I passed the exam on Tuesday (2 May).', 'I passed the exam on Tuesday (2 May (2 May 2023)).', '2023-05-02'],
    ['We met last Friday, May 5.', 'We met last Friday, May 5 (5 May 2023).', '2023-05-05'],
    ['We met on Saturday, May 21.', 'We met on Saturday, May 21 (21 May 2022).', '2022-05-21'],
  ])('%s', (text, ...expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('a day without a year that would be another weekday is unknown', () => {
    const text = 'She died on Sunday, June 14.';
    expect(read(text)).toEqual([text, '']);
  });
});

describe('an ordinal behind a weekday', () => {
  test.each([
    ['We got married on Friday the 13th.', 'We got married on Friday the 13th.', ''],
    ['Last Friday the 13th was bad.', 'Last Friday the 13th was bad.', ''],
    ['We met on Friday 12.', 'We met on Friday 12.', ''],
    ['On Saturday, the 6th, we danced.', 'On Saturday, the 6th (6 May 2023), we danced.', '2023-05-06'],
    ['We will meet on Friday the 12th.', 'We will meet on Friday the 12th (12 May 2023).', '2023-05-12'],
    ['We met on Friday, 5 people came.', 'We met on Friday (5 May 2023), 5 people came.', '2023-05-05'],
    ['We met on Friday at 5.', 'We met on Friday (5 May 2023) at 5.', '2023-05-05'],
  ])('counts where it fits: %s', (text, ...expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe('another time beside a weekday', () => {
  test.each([
    ['We met on Friday two weeks ago.'],
    ['Two weeks ago on Friday we met.'],
    ['A week later, on Friday, we met.'],
    ['We met on Friday in 2019.'],
    ['In 2019 we met on Friday.'],
    ['We met on Friday in the first week of April.'],
    ['We met on Friday before last.'],
    ['We met on Monday after Christmas.'],
    ['We met on Friday the week before.'],
  ])('leaves it as written: %s', (text) => {
    expect(read(text)).toEqual([text, '']);
  });

  test('is all that is known of it', () => {
    expect(read('We met on Monday in March.')).toEqual(['We met on Monday in March (March 2023).', '']);
  });

  test.each([
    ['We met on Friday last week.', 'We met on Friday last week (5 May 2023).', '2023-05-05'],
    ['Last week on Friday we met.', 'Last week on Friday (5 May 2023) we met.', '2023-05-05'],
    ['We meet on Friday next week.', 'We meet on Friday next week (19 May 2023).', '2023-05-19'],
    ['We met on Monday of this week.', 'We met on Monday of this week (8 May 2023).', '2023-05-08'],
  ])('may be its week: %s', (text, ...expected) => {
    expect(read(text, '2023-05-14')).toEqual(expected);
  });
});
