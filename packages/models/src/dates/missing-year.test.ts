import { describe, expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';

function dated(text: string): string {
  return annotateDates(text, readItemDate('2023-05-10T12:00:00Z')).text;
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
