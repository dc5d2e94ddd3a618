import { describe, expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';
import { readNumber } from './date-words.ts';

function dated(text: string): string {
  return annotateDates(text, readItemDate('2023-05-10T12:00:00Z')).text;
}

test.each([
  ['a', 1],
  ['nine', 9],
  ['Nineteen', 19],
  ['twenty', 20],
  ['twenty five', 25],
  ['ninety-nine', 99],
  ['a couple of', 2],
  ['365', 365],
])('"%s" is %i', (text, expected) => {
  expect(readNumber(text)).toBe(expected);
});

describe('numbers of two words and sums of years and months', () => {
  test.each([
    ['We met twenty five years ago.', 'We met twenty five years ago (1998).'],
    ['We met twenty-five years ago.', 'We met twenty-five years ago (1998).'],
    ['We met thirty two years ago.', 'We met thirty two years ago (1991).'],
    ['We met fifteen years ago.', 'We met fifteen years ago (2008).'],
    ['We met twenty one days ago.', 'We met twenty one days ago (19 April 2023).'],
    ['We met a year and two months ago.', 'We met a year and two months ago (March 2022).'],
    ['We met 1 year and 2 months ago.', 'We met 1 year and 2 months ago (March 2022).'],
    ['We met 1 year, 2 months ago.', 'We met 1 year, 2 months ago (March 2022).'],
    ['We met two years and a month ago.', 'We met two years and a month ago (April 2021).'],
    ['It begins twenty five days from now.', 'It begins twenty five days from now (4 June 2023).'],
    ['We will marry in twenty five days.', 'We will marry in twenty five days (4 June 2023).'],
    ['We met twenty two weekends ago.', 'We met twenty two weekends ago (weekend of 10 December 2022).'],
    ['I moved and two years ago I married.', 'I moved and two years ago (2021) I married.'],
    ['I moved - two weeks ago - to Porto.', 'I moved - two weeks ago (26 April 2023) - to Porto.'],
    ['The place I moved to two years ago.', 'The place I moved to two years ago (2021).'],
    ['I got a new one two weeks ago.', 'I got a new one two weeks ago (26 April 2023).'],
  ])('%s', (text, expected) => {
    expect(dated(text)).toBe(expected);
  });
});

describe('ranges, and sums of other units, are left as written', () => {
  test.each([
    ['We met 2 to 3 weeks ago.'],
    ['We met two to three weeks ago.'],
    ['We met 2 - 3 weeks ago.'],
    ['We met two, three weeks ago.'],
    ['We met two, maybe three weeks ago.'],
    ['We met between two and three weeks ago.'],
    ['We met more than two weeks ago.'],
    ['We met two or three weekends ago.'],
    ['We met three weeks and two days ago.'],
    ['We met 3 months and 2 weeks ago.'],
    ['We met two years, one month and three days ago.'],
    ['We met a hundred and five years ago.'],
    ['We met one hundred twenty years ago.'],
    ['We will marry in a year and two months.'],
    ['We will marry in a year and a half.'],
    ['We will marry in a year or two.'],
  ])('%s', (text) => {
    expect(dated(text)).toBe(text);
  });
});

describe('"in three weeks" in the present', () => {
  test.each([
    ['My exam is in three weeks.', '31 May 2023'],
    ['The party is in ten days.', '20 May 2023'],
    ["My birthday's in a week!", '17 May 2023'],
    ['Anna: The exam is in three weeks and I am tired.', '31 May 2023'],
    ['I bought a suit because the wedding is in three weeks.', '31 May 2023'],
    ['I have an appointment in two weeks.', '24 May 2023'],
    ['I have a dentist appointment in 10 days.', '20 May 2023'],
    ["She's got a meeting with Ben Fox in two weeks.", '24 May 2023'],
    ['The lease ends in four months.', 'September 2023'],
    ['My flight leaves in 3 days.', '13 May 2023'],
    ['We fly to Rome in 3 days.', '13 May 2023'],
    ['Next blood test in six weeks.', '21 June 2023'],
    ['Exam in three weeks!', '31 May 2023'],
  ])('is to come: %s', (text, day) => {
    expect(dated(text)).toBe(text.replace(/(in (?:a|\w+) (?:day|week|month)s?)/, `$1 (${day})`));
  });

  test.each([
    ['I can run a marathon in three days.'],
    ['She reads a book in two days.'],
    ['He learned it in two weeks.'],
    ['It takes effect in 3 days of rest.'],
    ['It is the best film in ten years.'],
    ['This is my first exam in ten years.'],
    ['My first marathon in ten years!'],
    ['The package usually arrives in two days.'],
    ['You can fly to Mars in six months.'],
    ['Packages arrive in two days.'],
    ['If the exam is in two weeks, I sleep badly.'],
    ['She said that the exam is in two weeks.'],
    ['She told me the exam is in two weeks.'],
    ['The office is in two days a week.'],
    ['She is in a week long course.'],
    ['I have two exams in two weeks.'],
    ['I missed an appointment in two weeks.'],
    ['The event takes place in two weeks.'],
    ['In 2019, my exam is in two weeks.'],
    ['"My exam is in two weeks," said Anna.'],
    ['Payment is in 14 days.'],
    ['Standard delivery is in 5 days.'],
    ['The trial ends in 14 days.'],
    ['I dreamt my exam is in two weeks.'],
    ['Imagine the exam is in two weeks.'],
    ['My exam is in two weeks, she writes.'],
  ])('or how long it takes: %s', (text) => {
    expect(dated(text)).toBe(text);
  });
});

describe('of "from 3 to 5 June"', () => {
  test.each([
    ['moved the exam from 3 to 5 June'],
    ['Ben moved the exam from 3 to 5 June, same room.'],
    ['The exam was moved from 3 to 5 June.'],
    ['Exam moved from 3 to 5 June.'],
    ['Moved from 3 to 5 June.'],
    ['The exam moves from June 3 to 5.'],
    ['I moved it from the 3rd to the 5th of June.'],
    ['The workshop is postponed from 3 to 5 June.'],
    ['I postponed my dentist from 3 to 5 June.'],
    ['We pushed the release back from 3 to 5 June.'],
    ["We have to move Ben's birthday party from 3 to 5 June."],
    ['I moved my appointment with Dr. Smith from 3 to 5 June.'],
    ['The meeting was brought forward from 9 to 5 June.'],
  ])('the new day counts where an event was rearranged: %s', (text) => {
    const { days } = annotateDates(text, readItemDate('2023-05-10'));
    expect(days).toEqual([{ year: 2023, month: 6, day: 5 }]);
    expect(dated(text)).toContain('(5 June 2023)');
  });

  test('the new day has the year behind it', () => {
    const { days } = annotateDates('The exam was moved from 3 to 5 June 2024.', readItemDate('2023-05-10'));
    expect(days).toEqual([{ year: 2024, month: 6, day: 5 }]);
  });

  test.each([
    ['We moved from 3 to 5 June.'],
    ['Anna moved from 3 to 5 June.'],
    ['We moved our things from 3 to 5 June.'],
    ['We moved during the conference from 3 to 5 June.'],
    ['I postponed my holiday because I was ill from 3 to 5 June.'],
    ['The move from 3 to 5 June was hard.'],
    ['I have a night shift from 3 to 5 June.'],
    ['We rebooked the hotel from 3 to 5 June.'],
    ['The weather changed from 3 to 5 June.'],
    ['The museum is closed from 3 to 5 June.'],
    ['I moved the meeting from June 3 to 5 pm.'],
  ])('the first day counts elsewhere: %s', (text) => {
    const { days } = annotateDates(text, readItemDate('2023-05-31'));
    expect(days).toEqual([{ year: 2023, month: 6, day: 3 }]);
  });
});
