import { describe, expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';

function dated(text: string): string {
  return annotateDates(text, readItemDate('2023-05-10T12:00:00Z')).text;
}

function daysOf(text: string, date: string): string {
  const { days } = annotateDates(text, readItemDate(date));
  return days.map(({ year, month, day }) => `${year}-${month}-${day}`).join(' ');
}

describe('a month is left as written', () => {
  test.each([
    ['with its year', 'I moved in March of 2019.'],
    ['with its year', 'She was born in May of 1920.'],
    ['with its year', "I moved in March '19."],
    ['with its year', 'The company was founded in March (1998).'],
    ['with its year', 'We moved in March of that year.'],
    ['beside another year', 'In 2019, in March, I moved.'],
    ['beside another year', 'In May we met, in 2019.'],
    ['beside another year', 'We met in March and April 2019.'],
    ['beside another year', 'We met in March and married on June 3, 2019.'],
    ['beside another year', 'We moved in March that year.'],
    ['beside another year', 'I moved in March a year later.'],
    ['beside another year', 'In 2025, we will move in March.'],
    ['of a birth', 'I was born in May.'],
    ['of a birth', 'My daughter was born in August.'],
    ['of a birth', 'In August, my daughter was born.'],
    ['of a birth', 'My daughter was born prematurely in August.'],
    ['of a birth', 'Anna was born in March and Ben in April.'],
  ])('%s: %s', (_, text) => {
    expect(dated(text)).toBe(text);
  });

  test.each([
    ['We met in June two years ago.', 'We met in June two years ago (2021).'],
    ['We moved in August, three years ago.', 'We moved in August, three years ago (2020).'],
    ['Last year we went to Rome in March.', 'Last year (2022) we went to Rome in March.'],
    ['Next year, we will move in March.', 'Next year (2024), we will move in March.'],
  ])('beside a year that is counted from today: %s', (text, expected) => {
    expect(dated(text)).toBe(expected);
  });
});

describe('a month is known', () => {
  test.each([
    ['In 2023 we moved in March.', 'In 2023 we moved in March (March 2023).'],
    ['My daughter will be born in August.', 'My daughter will be born in August (August 2023).'],
    ['We adopted a new-born kitten in March.', 'We adopted a new-born kitten in March (March 2023).'],
    ['I visited Rome in March, I was born there.', 'I visited Rome in March (March 2023), I was born there.'],
  ])('%s', (text, expected) => {
    expect(dated(text)).toBe(expected);
  });
});

describe('a day has the year behind it', () => {
  test.each([
    ["I moved on May 5 '19.", "I moved on May 5 '19 (5 May 2019)."],
    ['I moved on May 5th of 2019.', 'I moved on May 5th of 2019.'],
    ['I moved on May 5 (2019).', 'I moved on May 5 (2019).'],
    ['In 2025, we will move on May 20.', 'In 2025, we will move on May 20.'],
    ['My interviews are on May 10, 12 and 15, 2024.', 'My interviews are on May 10, 12 and 15, 2024.'],
  ])('%s', (text, expected) => {
    expect(dated(text)).toBe(expected);
  });
});

test('of the last and the next occurrence the closest counts, also on the 31st', () => {
  const { text } = annotateDates('The fair is on February 5.', readItemDate('2023-08-31T12:00:00Z'));
  expect(text).toBe('The fair is on February 5 (5 February 2024).');
});

describe('a day of December, in May 2024, is', () => {
  test.each([
    ['to come where it is scheduled', 'My passport expires on December 10.', '2024'],
    ['to come where it is scheduled', 'I renewed my passport, which expires on December 10.', '2024'],
    ['to come where it is scheduled', 'The lease ends December 10.', '2024'],
    ['to come where it is scheduled', 'The museum closes on December 10.', '2024'],
    ['to come where it is scheduled', 'My flight departs from Rome on December 10.', '2024'],
    ['to come where it is scheduled', 'The train leaves at 9 on December 10.', '2024'],
    ['to come where it is scheduled', 'The movers come on December 10.', '2024'],
    ['to come where it is scheduled', 'The concert is on December 10.', '2024'],
    ['to come where it is scheduled', 'The exam is at 9 am on December 10.', '2024'],
    ['to come where it is scheduled', 'The deadline is December 10.', '2024'],
    ['to come where it is scheduled', 'It is on December 10.', '2024'],
    ['to come where it is scheduled', 'He told me the exam is on December 10.', '2024'],
    ['to come where it is scheduled', 'She said the baby is due on December 10.', '2024'],
    ['to come where somebody has an appointment', 'I have a dentist appointment on December 10.', '2024'],
    ['to come where somebody has an appointment', "I've got a meeting with Bob on December 10.", '2024'],
    ['to come where somebody has an appointment', 'We have tickets for the concert on December 10.', '2024'],
    ['to come with a verb in the future', 'My appointment will be on December 10.', '2024'],
    ['to come with a verb in the future', 'I will need a table for December 10.', '2024'],
    ['over', 'My passport expired on December 10.', '2023'],
    ['over', 'The lease ended on December 10.', '2023'],
    ['over', 'The concert was on December 10.', '2023'],
    ['over', 'The deadline was December 10.', '2023'],
    ['over', 'I had a dentist appointment on December 10.', '2023'],
    ['over', 'I have had an interview on December 10.', '2023'],
    ['over', 'We raked the leaves on December 10.', '2023'],
    ['over', 'I am happy with the car I bought on December 10.', '2023'],
    ['over', 'My favourite is the museum we visited on December 10.', '2023'],
    ['over', 'I have lived here since December 10.', '2023'],
    ['over', 'I sold my car on December 10.', '2023'],
    ['over', 'I saw Dr. Smith on December 10.', '2023'],
    ['over', 'I met J. Smith at Acme Inc. on December 10.', '2023'],
    ['over', 'We upgraded to Node 18.2 on December 10.', '2023'],
    ['over', 'We moved to example.com on December 10.', '2023'],
    ['over', 'The whole group that works\nin the office moved\nto Rome on December 10.', '2023'],
    ['over', '> The whole group moved\n> to Rome on December 10.', '2023'],
    ['over', 'i saw dr. smith on december 10.', '2023'],
    ['to come after another sentence', 'I work at Acme Inc. My exam is on December 10.', '2024'],
    ['to come after another sentence', '"I left." The exam is on December 10.', '2024'],
    ['to come after another line', 'i left\nthe exam is on december 10', '2024'],
    ['to come after another line', 'I left\n\nthe exam is on december 10', '2024'],
    ['over as the heading of a note', 'December 10: I am in Rome.', '2023'],
    ['over as the heading of a note', '**December 10** - I am in Rome.', '2023'],
    ['over as the heading of a note', '[December 10] I am in Rome.', '2023'],
    ['over as the heading of a note', 'December 10: dentist.', '2023'],
    ['over without a verb', 'Pizza on December 10', '2023'],
  ])('%s: %s', (_, text, year) => {
    const { days } = annotateDates(text, readItemDate('2024-05-15T12:00:00Z'));
    expect(days).toEqual([{ year: Number(year), month: 12, day: 10 }]);
  });

  test.each([
    ['It is December 10, and I am tired.'],
    ["It's December 10."],
    ['We are in Rome on December 10.'],
    ['I am still angry about the fight on December 10.'],
    ['I have a photo of the wedding on December 10.'],
    ['I have a scar from the fall on December 10.'],
    ['The trip ends up on December 10.'],
    ['My birthday is on December 10.'],
    ['The concert is on Friday, December 10.'],
    ['In 2019, Dr. Smith moved on December 10.'],
    ['In 2019, Mr. Brown was hired on Friday.'],
    ['In 2019 the whole group that works in the office\nmoved to Rome on December 10.'],
    ['I was born in St. Louis on December 10.'],
  ])('unknown beside other verbs in the present, other years and births: %s', (text) => {
    expect(annotateDates(text, readItemDate('2024-05-15T12:00:00Z')).text).toBe(text);
  });
});

test.each([
  ['My passport expires on May 10.', '10 May 2024'],
  ['The concert is on April 20.', '20 April 2024'],
  ['The concert is on August 20.', '20 August 2024'],
  ['My passport expires in December.', 'December 2024'],
  ['My dad fell on May 20.', '20 May 2023'],
  ['The camp is from 3 to 5 June.', 'June 2024'],
])('near days, and those to come, are not affected: %s', (text, expected) => {
  expect(annotateDates(text, readItemDate('2024-05-15T12:00:00Z')).text).toBe(text.replace('.', ` (${expected}).`));
});

describe('a day that is arranged and would be long ago, on 12 March 2025, is', () => {
  test.each([
    ['to come', 'I booked flights for October 20.', '20 October 2025'],
    ['to come', 'I rebooked the ryokan for November 5.', '5 November 2025'],
    ['to come', 'We called and reserved the hall for December 5.', '5 December 2025'],
    ['to come', 'I managed to book a table for October 20.', '20 October 2025'],
    ['to come', "I booked a table for mum's birthday on October 20.", '20 October 2025'],
    ['to come', 'I made an appointment for October 20.', '20 October 2025'],
    ['to come', 'Our flight was rescheduled to October 20.', '20 October 2025'],
    ['to come', 'Tickets for the concert on November 8 cost 80 euros.', '8 November 2025'],
    ['to come', 'I got tickets for the concert on November 8.', '8 November 2025'],
    ['to come', 'Registration deadline: September 30.', '30 September 2025'],
    ['to come', 'The payment is small and due September 30.', '30 September 2025'],
    ['to come', 'Please register by September 30.', '30 September 2025'],
    ['to come', 'The exhibition runs from October 20.', '20 October 2025'],
    ['the last one by the tense of its clause', 'The deadline was September 30.', '30 September 2024'],
    ['the last one by the tense of its clause', 'The tickets for October 20 were expensive.', '20 October 2024'],
    ['the last one by the tense of its clause', 'After my appointment on October 20 I felt ill.', '20 October 2024'],
    ['the last one by the tense of its clause', 'The wedding was scheduled for October 20.', '20 October 2024'],
    ['the closest one of when it was arranged', 'I booked the hotel on October 20.', '20 October 2024'],
    ['the closest one of when it was arranged', 'I bought tickets for 80 euros on October 20.', '20 October 2024'],
    ['the last one of what has happened', 'The concert on October 20 was great.', '20 October 2024'],
    ['the closest one of nothing else', 'on October 20.', '20 October 2024'],
  ])('%s: %s', (_, text, expected) => {
    const day = /[A-Z][a-z]+ \d+/.exec(text)?.[0] ?? '';
    expect(annotateDates(text, readItemDate('2025-03-12')).text).toBe(text.replace(day, `${day} (${expected})`));
  });

  test('left as written where what follows is in the past', () => {
    const text = 'I booked a table for October 20 and we ate well.';
    expect(annotateDates(text, readItemDate('2025-03-12')).text).toBe(text);
  });
});

test.each([
  ['I paid the rent due on February 1.'],
  ['Due February 3, I paid it late.'],
  ['Dentist appointment February 3: two fillings, paid 80 euros.'],
  ['The invoice due on March 1 has not been paid.'],
  ['The invoice due March 1 is still open.'],
  ['I bought tickets for my parents on January 12.'],
  ['I gave my dog an appointment on February 3.'],
  ['In January I booked a table for February 5.'],
])('what is over, late, or was arranged long ago is not to come: %s', (text) => {
  const years = annotateDates(text, readItemDate('2025-05-14')).days.map(({ year }) => year);
  expect(years).toEqual([2025]);
});

test.each([
  ['It runs from September 5 to September 20.', '2025-9-5 2025-9-20'],
  ['Sale: September 1 to October 3', '2025-9-1 2025-10-3'],
  ['We are closed August 30 to September 14.', '2025-8-30 2025-9-14'],
  ['I go between September 5 and September 20.', '2025-9-5 2025-9-20'],
  ['It is from Friday, September 5 to Saturday, the 20th of September.', '2025-9-5 2025-9-20'],
  ['We were in Rome from December 28 to January 3.', '2024-12-28 2025-1-3'],
  ['I will be away from December 28 until January 3.', '2025-12-28 2026-1-3'],
  ['It lasts from September 5, 2025 to March 2.', '2025-9-5 2026-3-2'],
  ['It lasts from September 5 to March 2, 2026.', '2025-9-5 2026-3-2'],
  ['We moved the party from November 12 to November 5.', '2024-11-12 2024-11-5'],
])('the last day of a range is the next one after its first day: %s', (text, expected) => {
  expect(daysOf(text, '2025-03-12')).toBe(expected);
});

describe('a day of a plan that would be long ago, on 10 February 2026, is', () => {
  test.each([
    ['Reserved a table, 12 September at 19:00.', '2026-9-12'],
    ['Reserved a table, Saturday, 12 September at 19:00.', '2026-9-12'],
    ['Reservation at Nobu, 12 September at 19:00.', '2026-9-12'],
    ['Reservation for four confirmed for 12 September.', '2026-9-12'],
    ['We booked the cottage, 5 to 7 October.', '2026-10-5'],
    ['Passport valid until 3 October.', '2026-10-3'],
    ['I renewed my passport, valid until 3 October.', '2026-10-3'],
    ['Bought a railcard, valid until 3 October.', '2026-10-3'],
    ['We are away until 3 October.', '2026-10-3'],
    ['Expiry date: 3 October', '2026-10-3'],
    ['Hotel reserved from 15 October, free cancellation until 20 September.', '2026-10-15 2026-9-20'],
    ['Booked ANA, outbound 3 October, back 24 October.', '2026-10-3 2026-10-24'],
    ['Check-in 3 October, check-out 9 October.', '2026-10-3 2026-10-9'],
    ['Flight to Oslo: 14 September', '2026-9-14'],
    ['Visits: 15 March, 12 June and 3 October.', '2026-3-15 2026-6-12 2026-10-3'],
  ])('to come: %s', (text, expected) => {
    expect(daysOf(text, '2026-02-10')).toBe(expected);
  });

  test.each([
    ['The passport was valid until 3 October.', '2025-10-3'],
    ['I had a rail pass, valid until 3 October.', '2025-10-3'],
    ['Stayed in Rome until 3 October.', '2025-10-3'],
    ['Anna: until October 3.', '2025-10-3'],
    ['Sales until 3 October: 500 units.', '2025-10-3'],
    ['Booking date: 12 September', '2025-9-12'],
    ['Booked the venue 3 October.', '2025-10-3'],
    ['I booked a table, and on October 3 we ate there.', '2025-10-3'],
    ['In September I booked a hotel, October 20.', '2025-10-20'],
    ['After our return on 24 October we slept.', '2025-10-24'],
    ['Flew out 3 October, back 24 October.', '2025-10-3 2025-10-24'],
    ['Flight to Oslo: 14 September, delayed by 3 hours.', '2025-9-14'],
    ['Tickets for 5 April and photos from 3 October.', '2026-4-5 2025-10-3'],
    ['Exam 20 April, registered 3 October.', '2026-4-20 2025-10-3'],
    ['Concert, 2 October at 20:00', '2025-10-2'],
  ])('the closest one where it may be over: %s', (text, expected) => {
    expect(daysOf(text, '2026-02-10')).toBe(expected);
  });
});

test('the return is the next such day after the outbound journey, also where it would be near', () => {
  expect(daysOf('Booked ANA, outbound 3 October, back 24 October.', '2026-12-10')).toBe('2027-10-3 2027-10-24');
});
