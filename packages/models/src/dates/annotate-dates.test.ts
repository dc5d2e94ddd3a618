import { describe, expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';

/** A Monday. */
const monday = readItemDate('2023-05-08T13:56:00Z');

describe('a relative date gets its absolute date', () => {
  test.each([
    ['I went there yesterday and it was great.', 'I went there yesterday (7 May 2023) and it was great.'],
    ['Yesterday I slept.', 'Yesterday (7 May 2023) I slept.'],
    ["We saw yesterday's game.", "We saw yesterday's (7 May 2023) game."],
    ['the day before yesterday', 'the day before yesterday (6 May 2023)'],
    ['We fly the day after tomorrow.', 'We fly the day after tomorrow (10 May 2023).'],
    ['See you tomorrow!', 'See you tomorrow (9 May 2023)!'],
    ['I am off today.', 'I am off today (8 May 2023).'],
    ['We met last night.', 'We met last night (7 May 2023).'],
    ['I ran this morning.', 'I ran this morning (8 May 2023).'],
    ['We met two weeks ago.', 'We met two weeks ago (24 April 2023).'],
    ['It broke 3 days ago.', 'It broke 3 days ago (5 May 2023).'],
    ['a couple of weeks ago', 'a couple of weeks ago (24 April 2023)'],
    ['I left a month ago.', 'I left a month ago (April 2023).'],
    ['It was ten years ago.', 'It was ten years ago (2013).'],
    ['A year ago today we met.', 'A year ago (2022) today we met.'],
    ['I start two days from now.', 'I start two days from now (10 May 2023).'],
    ['I start a week from tomorrow.', 'I start a week from tomorrow (16 May 2023).'],
    ["We move in two weeks' time.", "We move in two weeks' time (22 May 2023)."],
    ['We will move in two weeks.', 'We will move in two weeks (22 May 2023).'],
    ['Last Friday we danced.', 'Last Friday (5 May 2023) we danced.'],
    ['It opens this Friday.', 'It opens this Friday (12 May 2023).'],
    ['This past Friday was fun.', 'This past Friday (5 May 2023) was fun.'],
    ['We went out on Friday.', 'We went out on Friday (5 May 2023).'],
    ["We'll go out on Friday.", "We'll go out on Friday (12 May 2023)."],
    ['I painted it last year!', 'I painted it last year (2022)!'],
    ['I saw it last month.', 'I saw it last month (April 2023).'],
    ['We start next month.', 'We start next month (June 2023).'],
    ['I had a call last week.', 'I had a call last week (week of 1 May 2023).'],
    ['I am off next week.', 'I am off next week (week of 15 May 2023).'],
    ['We hiked last weekend.', 'We hiked last weekend (weekend of 6 May 2023).'],
    ['We hiked two weekends ago.', 'We hiked two weekends ago (weekend of 29 April 2023).'],
    ['It was the week before last.', 'It was the week before last (week of 24 April 2023).'],
    ['We moved last spring.', 'We moved last spring (spring 2022).'],
    ['We moved last summer.', 'We moved last summer (summer 2022).'],
    ['We moved last fall.', 'We moved last fall (fall 2022).'],
    ['We ski next winter.', 'We ski next winter (winter 2023–2024).'],
    ['We skied last winter.', 'We skied last winter (winter 2022–2023).'],
    ['He was born last May.', 'He was born last May (May 2022).'],
    ['We marry next December.', 'We marry next December (December 2023).'],
    ['I was there in March.', 'I was there in March (March 2023).'],
    ['I will be there in March.', 'I will be there in March (March 2024).'],
    ['The party is June 5th.', 'The party is June 5th (5 June 2023).'],
    ['My surgery was on 3 May last year.', 'My surgery was on 3 May last year (3 May 2022).'],
    ['We will marry on May 5 next year.', 'We will marry on May 5 next year (5 May 2024).'],
    ['We got married on May 9.', 'We got married on May 9 (9 May 2022).'],
    ['Last Christmas, on December 24, I got a dog.', 'Last Christmas, on December 24 (24 December 2022), I got a dog.'],
    ['We will meet on 7 May.', 'We will meet on 7 May (7 May 2024).'],
    ['We will meet on May 8.', 'We will meet on May 8 (8 May 2023).'],
    ['We celebrated my birthday on June 5.', 'We celebrated my birthday on June 5 (5 June 2022).'],
    ['It is on the 5th of June.', 'It is on the 5th of June (5 June 2023).'],
    ['We met on Dec 30.', 'We met on Dec 30 (30 December 2022).'],
  ])('%s', (text, expected) => {
    expect(annotateDates(text, monday).text).toBe(expected);
  });
});

describe('what is no date, or not surely one, is left as written', () => {
  test.each([
    ['The wall may fall over now.'],
    ['Maybe the sun will shine for a second.'],
    ['You may march on.'],
    ['March on! We shall overcome.'],
    ['This may be good.'],
    ['He sat on the sun deck, mon ami.'],
    ['Give me a second, I am second in line.'],
    ['His last fall was bad, and the last fall of Rome too.'],
    ['The last week was hard.'],
    ['On the first day of the last week of school'],
    ['It was 10-15 years ago.'],
    ['It was 1.5 years ago.'],
    ['It was two or three weeks ago.'],
    ['It was a few years ago.'],
    ['It was ages ago.'],
    ['I learnt it in two weeks.'],
    ['Pizza on Friday'],
    ['We will meet a week on Friday.'],
    ['We ran on Sunday mornings.'],
    ["Today's youth reads."],
    ['They sang "Yesterday".'],
    ['The camp is June 5-7.'],
    ['The camp is 5–7 June.'],
    ['There is no 31 February.'],
    ['May 5 people come?'],
    ['The April fool, August and wise'],
    ['Two weeks later he left, a week earlier she came.'],
    ['She works twice a week, once in a year.'],
    ['At 5 to 12, chapter 3, section 4.2'],
    ['It was on 5 June 2022.'],
    ['In 2019, on May 5, I fell.'],
    ['I was born on November 20.'],
    ['My birthday is June 5th.'],
    ['I moved here twelve or more years ago, on May 5.'],
    ['It was 2022-06-05.'],
    ['We met yesterday (7 May 2023).'],
    ['Everyday life, the week, a month, the year'],
  ])('%s', (text) => {
    expect(annotateDates(text, monday).text).toBe(text);
  });
});

describe('the days that a text names', () => {
  test.each([
    ['It was on 5 June 2022.', ['2022-6-5']],
    ['It was 2022-06-05.', ['2022-6-5']],
    ['The camp was from 3 to 5 June 2022.', ['2022-6-3']],
    ['The camp is from the 3rd to the 5th of June.', ['2023-6-3']],
    ['Yesterday, yes, yesterday!', ['2023-5-7']],
    ['Yesterday I came, tomorrow I go.', ['2023-5-7', '2023-5-9']],
    ['We met last year.', []],
    ['We met last week.', []],
  ])('%s', (text, expected) => {
    const days = annotateDates(text, monday).days.map(({ year, month, day }) => `${year}-${month}-${day}`);
    expect(days).toEqual(expected);
  });
});

describe('a day without a year, on 8 May 2024, is', () => {
  test.each([
    ['the closest one of what is arranged', 'I booked a table for May 20.', '2024-5-20'],
    ['the closest one of what is arranged', 'The deadline was moved to June 5.', '2024-6-5'],
    ['the closest one of what is arranged', 'Our flight was changed to May 21.', '2024-5-21'],
    ['the closest one of what is arranged', 'We agreed to ship on June 1.', '2024-6-1'],
    ['the closest one of what is arranged', 'I have booked a hotel from May 20 to May 24.', '2024-5-20 2024-5-24'],
    ['the closest one of what is arranged', 'I booked a flight for August 20.', '2024-8-20'],
    ['the closest one of what is arranged', "I booked a table for mum's birthday on May 20.", '2024-5-20'],
    ['the closest one after a verb in the present', 'Anna emailed me that the interview is on May 14.', '2024-5-14'],
    ['the closest one after a verb in the present', 'I had headaches and the exam is on August 14.', '2024-8-14'],
    ['that of the own clause', 'I completed the form; the appointment is on May 16.', '2024-5-16'],
    ['the last one after "since"', 'I am having headaches since May 2.', '2024-5-2'],
    ['the last one after "since"', 'I have lived here since August 1.', '2023-8-1'],
    ['the near one of what begins', 'The sale begins April 29.', '2024-4-29'],
    ['the near one of what begins', 'The course starts on May 6 and ends on May 31.', '2024-5-6 2024-5-31'],
    ['the near one where the tense may be of something else', 'I will send the report of May 2.', '2024-5-2'],
    ['far away, by the tense', 'We went to Rome on August 20.', '2023-8-20'],
    ['far away, by the tense', 'I worked there from August 2 to September 3.', '2023-8-2 2023-9-3'],
    ['near, by the tense without doubt', 'The wedding was on May 20.', '2023-5-20'],
    ['near, by the tense without doubt', 'We will meet on 7 May.', '2025-5-7'],
    ['of no other year beside an amount', 'I paid 1500 euros for the flight on May 2.', '2024-5-2'],
    ['of no other year beside an amount', 'I walked 2000 steps on May 7.', '2024-5-7'],
    ['of no other year beside an amount', 'The budget of 2000 dollars is due on May 31.', '2024-5-31'],
    ['of no other year beside a number', 'Room 1200 is booked for May 20.', '2024-5-20'],
    ['of the year of a full date', 'The conference runs from June 3 to June 5, 2024.', '2024-6-3 2024-6-5'],
    ['of the year of a full date', 'We met on May 5 and married on June 3, 2019.', '2019-5-5 2019-6-3'],
    [
      'of the year before that of a full date',
      'The trip is from December 30 to January 2, 2025.',
      '2024-12-30 2025-1-2',
    ],
    ['of no year of another clause', 'We moved two years ago, and the party is on May 20.', '2024-5-20'],
    ['of the year that a list of days ends with', 'My interviews are on May 10, 12 and 15, 2024.', '2024-5-10'],
    ['of no year since when it is so', 'Since 2019 I go there on May 20.', '2024-5-20'],
    ['of this year', 'This year the fair is on May 20.', '2024-5-20'],
    ['unknown beside another year', 'Next year we will marry on May 20.', ''],
    ['known beside a birthday', "Mum's birthday party is on May 18.", '2024-5-18'],
    ['known beside a birth', 'My mother was born in Rome and visits us on May 20.', '2024-5-20'],
    ['known of a birth to come', 'My daughter will be born on June 10.', '2024-6-10'],
    ['unknown of a birth', 'He was born in Rome on May 20.', ''],
    ['unknown of a birthday', 'My birthday is May 20.', ''],
  ])('%s: %s', (_, text, expected) => {
    const { days } = annotateDates(text, readItemDate('2024-05-08'));
    expect(days.map(({ year, month, day }) => `${year}-${month}-${day}`).join(' ')).toBe(expected);
  });
});

describe('the calendar is that of the place where it was said', () => {
  test.each([
    ['2023-05-08T23:30:00-08:00', 'yesterday (7 May 2023)'],
    ['2023-05-08T00:30:00+14:00', 'yesterday (7 May 2023)'],
    ['2023-05-08T00:30:00Z', 'yesterday (7 May 2023)'],
    ['2023-05-08T00:30:00', 'yesterday (7 May 2023)'],
    ['2023-05-08', 'yesterday (7 May 2023)'],
    ['2024-03-01T01:00:00+05:30', 'yesterday (29 February 2024)'],
    ['2024-01-01T01:00:00+0530', 'yesterday (31 December 2023)'],
  ])('%s', (eventDate, expected) => {
    expect(annotateDates('yesterday', readItemDate(eventDate)).text).toBe(expected);
  });

  test.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'never', ''])(
    'no date is computed from "%s"',
    (eventDate) => {
      expect(annotateDates('yesterday and next year', readItemDate(eventDate)).text).toBe('yesterday and next year');
    },
  );
});

test.each([
  ['2023-05-31', 'a month ago', 'April 2023'],
  ['2023-03-31', 'a month ago', 'February 2023'],
  ['2024-02-29', 'a year ago', '2023'],
  ['2023-01-31', 'a month from now', 'February 2023'],
  ['2023-01-10', 'last winter', 'winter 2021–2022'],
  ['2023-01-10', 'this winter', 'winter 2022–2023'],
  ['2023-01-10', 'next winter', 'winter 2023–2024'],
  ['2023-01-10', 'last summer', 'summer 2022'],
  ['2023-12-10', 'this winter', 'winter 2023–2024'],
  ['2023-12-10', 'last autumn', 'autumn 2023'],
  ['2023-07-10', 'this spring', 'spring 2023'],
  ['2023-07-10', 'next summer', 'summer 2024'],
  ['2023-07-10', 'the summer before last', 'summer 2021'],
])('on %s %s is %s', (eventDate, phrase, expected) => {
  expect(annotateDates(`${phrase}`, readItemDate(eventDate)).text).toBe(`${phrase} (${expected})`);
});
