import { describe, expect, test } from 'vitest';
import { findTimeWindow } from './find-time-window.ts';

/** A Monday. */
const monday = '2023-05-08T13:56:00Z';
const start = '0001-01-01';
const end = '9999-12-31';

/** The first and the last day of the window, and its words. */
function windowOf(question: string, questionDate = monday) {
  const window = findTimeWindow(question, questionDate);
  if (window === null) return null;
  const { from, to, phrase } = window;
  const lastDay = to.startsWith(end) ? end : new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  return [from.slice(0, 10), lastDay, phrase];
}

describe('days', () => {
  test.each([
    ['What did I eat yesterday?', '2023-05-07', '2023-05-07', 'yesterday'],
    ['Who called this morning?', '2023-05-08', '2023-05-08', 'this morning'],
    ['What did we watch last night?', '2023-05-07', '2023-05-07', 'last night'],
    ['What did she say the day before yesterday?', '2023-05-06', '2023-05-06', 'the day before yesterday'],
    ['What am I doing tomorrow?', '2023-05-09', '2023-05-09', 'tomorrow'],
    ['What broke three days ago?', '2023-05-05', '2023-05-05', 'three days ago'],
    ['What happened on 7 May 2023?', '2023-05-07', '2023-05-07', 'on 7 May 2023'],
    ['Which painting did she show on October 13, 2022?', '2022-10-13', '2022-10-13', 'on October 13, 2022'],
    ['What book did Tim finish on 8th December, 2022?', '2022-12-08', '2022-12-08', 'on 8th December, 2022'],
    ['What was decided on 2022-06-05?', '2022-06-05', '2022-06-05', 'on 2022-06-05'],
    ['What was paid on 13/04/2023?', '2023-04-13', '2023-04-13', 'on 13/04/2023'],
    ['What was paid on 4/13/2023?', '2023-04-13', '2023-04-13', 'on 4/13/2023'],
    ['What was paid on 13-04-2023?', '2023-04-13', '2023-04-13', 'on 13-04-2023'],
    ['What was paid on 2023/04/13?', '2023-04-13', '2023-04-13', 'on 2023/04/13'],
    ['What was paid on 13-Apr-2023?', '2023-04-13', '2023-04-13', 'on 13-Apr-2023'],
    ['What was paid on 13/Apr/23?', '2023-04-13', '2023-04-13', 'on 13/Apr/23'],
    ['What was 13.04.2023–15.04.2023?', '2023-04-13', '2023-04-15', '13.04.2023–15.04.2023'],
    ['What was paid on 01.04.2023?', '2023-04-01', '2023-04-01', 'on 01.04.2023'],
    ['What happened on Sunday, 7 May?', '2023-05-07', '2023-05-07', 'on Sunday, 7 May'],
    ['Where was I on June 5th?', '2022-06-05', '2022-06-05', 'on June 5th'],
    ['Where will I be on June 5th?', '2023-06-05', '2023-06-05', 'on June 5th'],
    ['What did we do on the first of May?', '2023-05-01', '2023-05-01', 'on the first of May'],
    ['what arrived on may 5?', '2023-05-05', '2023-05-05', 'on may 5'],
    ['what arrived march 3rd', '2023-03-03', '2023-03-03', 'march 3rd'],
    ['what arrived on dec 3', '2022-12-03', '2022-12-03', 'on dec 3'],
    ['what arrived on the 5th of may', '2023-05-05', '2023-05-05', 'on the 5th of may'],
    ['what arrived on 17/4', '2023-04-17', '2023-04-17', 'on 17/4'],
    ['what arrived on 4/17', '2023-04-17', '2023-04-17', 'on 4/17'],
    ['What arrived on the 15th?', '2023-04-15', '2023-04-15', 'on the 15th'],
    ['What arrived on the 15th of last month?', '2023-04-15', '2023-04-15', 'on the 15th of last month'],
    ['Who came on Monday?', '2023-05-01', '2023-05-01', 'on Monday'],
    ['Who came on monday?', '2023-05-01', '2023-05-01', 'on monday'],
    ['What is planned for Friday?', '2023-05-12', '2023-05-12', 'for Friday'],
    ['Who came last Friday?', '2023-05-05', '2023-05-05', 'last Friday'],
    ['What did we eat Friday night?', '2023-05-05', '2023-05-05', 'Friday night'],
    ['Who came on Tuesday last week?', '2023-05-02', '2023-05-02', 'on Tuesday last week'],
    ['What did we eat last week on Tuesday?', '2023-05-02', '2023-05-02', 'last week on Tuesday'],
    ['Who spoke in Thursday’s meeting?', '2023-05-04', '2023-05-04', 'Thursday’s'],
    ['What did I get on Christmas Eve?', '2022-12-24', '2022-12-24', 'on Christmas Eve'],
    ['What did we cook last Thanksgiving?', '2022-11-24', '2022-11-24', 'last Thanksgiving'],
    ['Where were we on Easter Sunday 2021?', '2021-04-04', '2021-04-04', 'on Easter Sunday 2021'],
  ])('%s', (question, ...window) => {
    expect(windowOf(question)).toEqual(window);
  });
});

describe('weeks, months, seasons and years', () => {
  test.each([
    ['What did we decide last week?', '2023-05-01', '2023-05-07', 'last week'],
    ['What did we do last weekend?', '2023-05-06', '2023-05-07', 'last weekend'],
    ['What did we do over the weekend?', '2023-05-06', '2023-05-07', 'over the weekend'],
    ['What did she paint two weeks ago?', '2023-04-21', '2023-04-27', 'two weeks ago'],
    ['Which car did he sell last month?', '2023-04-01', '2023-04-30', 'last month'],
    ['Which car did he sell the previous month?', '2023-04-01', '2023-04-30', 'the previous month'],
    ['Where did she move from 4 years ago?', '2019-01-01', '2019-12-31', '4 years ago'],
    ['What happened in June 2022?', '2022-06-01', '2022-06-30', 'in June 2022'],
    ['June 2022', '2022-06-01', '2022-06-30', 'June 2022'],
    ['june 2022 trip', '2022-06-01', '2022-06-30', 'june 2022'],
    ['What happened in may 2022?', '2022-05-01', '2022-05-31', 'in may 2022'],
    ['What did Sept 2022 cost?', '2022-09-01', '2022-09-30', 'Sept 2022'],
    ['Where did we go in march?', '2023-03-01', '2023-03-31', 'in march'],
    ['Where did we go in August?', '2022-08-01', '2022-08-31', 'in August'],
    ['Where will we go in August?', '2023-08-01', '2023-08-31', 'in August'],
    ['Where did we go last May?', '2022-05-01', '2022-05-31', 'last May'],
    ['Where did we go in June last year?', '2022-06-01', '2022-06-30', 'in June last year'],
    ['What was sold in 2022-03?', '2022-03-01', '2022-03-31', 'in 2022-03'],
    ['What was sold in Q3 2022?', '2022-07-01', '2022-09-30', 'in Q3 2022'],
    ['What was sold last quarter?', '2023-01-01', '2023-03-31', 'last quarter'],
    ['Where did I travel last spring?', '2022-03-01', '2022-05-31', 'last spring'],
    ['Where did we live in the summer of 2021?', '2021-06-01', '2021-08-31', 'in the summer of 2021'],
    ['Where did we live in the fall of 2021?', '2021-09-01', '2021-11-30', 'in the fall of 2021'],
    ['What did I read over the winter?', '2022-12-01', '2023-02-28', 'over the winter'],
    ['What did I do during the summer?', '2022-06-01', '2022-08-31', 'during the summer'],
    ['What did he do in 2019?', '2019-01-01', '2019-12-31', 'in 2019'],
    ['Which games did he buy last year?', '2022-01-01', '2022-12-31', 'last year'],
    ['What happened this year and last year?', '2022-01-01', '2023-12-31', 'this year and last year'],
    ['What music did they play in the 1990s?', '1990-01-01', '1999-12-31', 'in the 1990s'],
    ['Who lived here in the early 90s?', '1990-01-01', '1993-04-30', 'in the early 90s'],
    ['What did we eat over Christmas?', '2022-12-24', '2022-12-26', 'over Christmas'],
    ['What did we eat at Christmas 2020?', '2020-12-24', '2020-12-26', 'at Christmas 2020'],
  ])('%s', (question, ...window) => {
    expect(windowOf(question)).toEqual(window);
  });
});

describe('parts of a time', () => {
  test.each([
    ['What did I buy in early June 2022?', '2022-06-01', '2022-06-10', 'in early June 2022'],
    ['What did I buy in mid-June 2022?', '2022-06-11', '2022-06-20', 'in mid-June 2022'],
    ['Where did we go late last year?', '2022-09-01', '2022-12-31', 'late last year'],
    ['What was said at the end of last month?', '2023-04-21', '2023-04-30', 'the end of last month'],
    ['What was said in the first half of 2022?', '2022-01-01', '2022-06-30', 'in the first half of 2022'],
    ['Where was he in the second week of November?', '2022-11-08', '2022-11-14', 'in the second week of November'],
    [
      'Where was Dave in the last two weeks of August 2022?',
      '2022-08-18',
      '2022-08-31',
      'in the last two weeks of August 2022',
    ],
    [
      'Where was he in the first weekend of October 2022?',
      '2022-10-01',
      '2022-10-02',
      'in the first weekend of October 2022',
    ],
    ['Who came on the last Friday of March?', '2023-03-31', '2023-03-31', 'last Friday of March'],
    ['What did I learn earlier this year?', '2023-01-01', '2023-05-08', 'earlier this year'],
    ['What is there to do later this month?', '2023-05-08', '2023-05-31', 'later this month'],
  ])('%s', (question, ...window) => {
    expect(windowOf(question)).toEqual(window);
  });
});

describe('times told from today', () => {
  test.each([
    ['What did we eat the night before last?', '2023-05-06', '2023-05-06', 'the night before last'],
    ['Where was I the Monday before last?', '2023-04-24', '2023-04-24', 'the Monday before last'],
    ['What did I cook two Sundays ago?', '2023-04-30', '2023-04-30', 'two Sundays ago'],
    ['What did I do two summers ago?', '2021-06-01', '2021-08-31', 'two summers ago'],
    ['What happened a year ago today?', '2022-05-08', '2022-05-08', 'a year ago today'],
    ['What did I do this time last year?', '2022-04-24', '2022-05-22', 'this time last year'],
    ['What did I say three hours ago?', '2023-05-08', '2023-05-08', 'three hours ago'],
    ['Who called in the last 24 hours?', '2023-05-07', '2023-05-08', 'in the last 24 hours'],
    ['Who came in to talk about last year?', '2022-01-01', '2022-12-31', 'last year'],
    ['Who called on Tuesday the 2nd?', '2023-05-02', '2023-05-02', 'on Tuesday the 2nd'],
    ['Who called on Saturday, 7 May?', '2022-05-07', '2022-05-07', 'on Saturday, 7 May'],
    ['Where did we ski in winter 2021–2022?', '2021-12-01', '2022-02-28', 'in winter 2021–2022'],
    ['What about July?', '2022-07-01', '2022-07-31', 'July'],
    ['What did he play, as of December 2022?', '2022-12-01', '2022-12-31', 'as of December 2022'],
    ['Who paid no later than March 2022?', start, '2022-03-31', 'no later than March 2022'],
    ['What did we do in January and February 2022?', '2022-01-01', '2022-02-28', 'in January and February 2022'],
    ['How did I feel before last week’s exam?', start, '2023-05-07', 'before last week’s'],
  ])('%s', (question, ...window) => {
    expect(windowOf(question)).toEqual(window);
  });
});

describe('a time beside another', () => {
  test.each([
    ['What did I buy three days before Christmas?', '2022-12-22', '2022-12-22', 'three days before Christmas'],
    ['What did I buy the day after Christmas 2021?', '2021-12-26', '2021-12-26', 'the day after Christmas 2021'],
    ['Who visited the week after New Year?', '2023-01-02', '2023-01-08', 'the week after New Year'],
    ['What did John do the week before April 3, 2023?', '2023-03-27', '2023-04-02', 'the week before April 3, 2023'],
    [
      'Which puppy did she get two weeks before April 15, 2023?',
      '2023-03-29',
      '2023-04-04',
      'two weeks before April 15, 2023',
    ],
    [
      'What did she do last weekend before April 10, 2023?',
      '2023-04-08',
      '2023-04-09',
      'last weekend before April 10, 2023',
    ],
    ['What happened on the Friday before 7 May 2023?', '2023-05-05', '2023-05-05', 'the Friday before 7 May 2023'],
    ['What happened in the two weeks after Easter?', '2023-04-10', '2023-04-23', 'in the two weeks after Easter'],
    ['What happened within a week of 1 March 2023?', '2023-02-22', '2023-03-08', 'within a week of 1 March 2023'],
    ['What happened the month before March 2023?', '2023-02-01', '2023-02-28', 'the month before March 2023'],
    ['What was said in the week of 3 April?', '2023-04-03', '2023-04-09', 'in the week of 3 April'],
    ['What happened around Christmas?', '2022-12-22', '2022-12-28', 'around Christmas'],
  ])('%s', (question, ...window) => {
    expect(windowOf(question)).toEqual(window);
  });
});

describe('from one time to another', () => {
  test.each([
    ['What changed between March and May 2023?', '2023-03-01', '2023-05-31', 'between March and May 2023'],
    ['What changed between November and February?', '2022-11-01', '2023-02-28', 'between November and February'],
    [
      'What changed from November 2022 to February 2023?',
      '2022-11-01',
      '2023-02-28',
      'from November 2022 to February 2023',
    ],
    [
      'Where was John between August 11 and August 15 2022?',
      '2022-08-11',
      '2022-08-15',
      'between August 11 and August 15 2022',
    ],
    ['Where was John on 11–15 August 2022?', '2022-08-11', '2022-08-15', '11–15 August 2022'],
    ['Where was John May 3-5, 2022?', '2022-05-03', '2022-05-05', 'May 3-5, 2022'],
    ['What did we do between Monday and Wednesday?', '2023-05-01', '2023-05-03', 'between Monday and Wednesday'],
    ['What was built between 2019 and 2021?', '2019-01-01', '2021-12-31', 'between 2019 and 2021'],
    ['What have I spent since last month?', '2023-04-01', '2023-05-08', 'since last month'],
    ['What did we do since March?', '2023-03-01', '2023-05-08', 'since March'],
    ['Where did she live before July 2022?', start, '2022-06-30', 'before July 2022'],
    ['Where did she live until 2019?', start, '2019-12-31', 'until 2019'],
    ['Where did she work after 2019?', '2020-01-01', end, 'after 2019'],
    ['Where did she work from June 2022 on?', '2022-06-01', end, 'from June 2022 on'],
    ['Where did I travel in the last two years?', '2021-05-08', '2023-05-08', 'in the last two years'],
    ['What did we talk about over the past week?', '2023-05-01', '2023-05-08', 'over the past week'],
    ['What did I say a few days ago?', '2023-05-02', '2023-05-06', 'a few days ago'],
    ['What did I say two or three weeks ago?', '2023-04-17', '2023-04-24', 'two or three weeks ago'],
    ['Who moved more than two years ago?', start, '2020-12-31', 'more than two years ago'],
    ['What is coming up in the next two weeks?', '2023-05-08', '2023-05-22', 'in the next two weeks'],
    ['Did I run in June or July?', '2022-06-01', '2022-07-31', 'in June or July'],
  ])('%s', (question, ...window) => {
    expect(windowOf(question)).toEqual(window);
  });
});

describe('words that are no past, asked on a Wednesday', () => {
  test.each([
    ['What am I supposed to do on Friday?', '2023-05-12', '2023-05-12'],
    ['When do I meet Ahmed on Friday?', '2023-05-12', '2023-05-12'],
    ['What have I got on Friday?', '2023-05-12', '2023-05-12'],
    ['Where am I invited on Saturday?', '2023-05-13', '2023-05-13'],
    ['Is the museum closed on Friday?', '2023-05-12', '2023-05-12'],
    ['Who is expected in August?', '2023-08-01', '2023-08-31'],
    ['Who gets married in June?', '2023-06-01', '2023-06-30'],
    ['Who got married in June?', '2022-06-01', '2022-06-30'],
    ['Who was invited on Saturday?', '2023-05-06', '2023-05-06'],
    ['What is the name of the man I visited on Friday?', '2023-05-05', '2023-05-05'],
    ['Is there a café that opened in August?', '2022-08-01', '2022-08-31'],
  ])('%s', (question, ...days) => {
    expect(windowOf(question, '2023-05-10T12:00:00Z')?.slice(0, 2)).toEqual(days);
  });
});

describe('numbers and dates of several words', () => {
  test.each([
    ['Who did I meet twenty five years ago?', '1998-01-01', '1998-12-31', 'twenty five years ago'],
    ['Who did I meet a year and two months ago?', '2022-03-01', '2022-03-31', 'a year and two months ago'],
    ['Who did I meet 1 year, 2 months ago?', '2022-03-01', '2022-03-31', '1 year, 2 months ago'],
    ['Who did I meet 2 to 3 weeks ago?', '2023-04-17', '2023-04-24', '2 to 3 weeks ago'],
    ['Who did I write to two weeks ago?', '2023-04-21', '2023-04-27', 'two weeks ago'],
    ['Who came twenty five days before Christmas?', '2022-11-30', '2022-11-30', 'twenty five days before Christmas'],
    ['Who came two or three days before Christmas?', '2022-12-22', '2022-12-23', 'two or three days before Christmas'],
    ['What broke on Tuesday (2 May)?', '2023-05-02', '2023-05-02', 'on Tuesday (2 May)'],
    ['Where was I last Friday, May 5?', '2023-05-05', '2023-05-05', 'Friday, May 5'],
    ['What happened in 2019 in March?', '2019-03-01', '2019-03-31', 'in 2019 in March'],
  ])('%s', (question, ...window) => {
    expect(windowOf(question)).toEqual(window);
  });

  test.each([
    'Who did I meet a hundred and five years ago?',
    'Who did I meet three weeks and two days ago?',
    'Who did I meet two or three Sundays ago?',
  ])('an amount that is not understood is no window: %s', (question) => {
    expect(windowOf(question)).toBeNull();
  });
});

test('of several windows the shortest counts, whichever comes first', () => {
  expect(windowOf('Since I moved in 2019, what did I do last month?')?.[2]).toBe('last month');
  expect(windowOf('What did I say yesterday about the trip in 2019?')?.[2]).toBe('yesterday');
});

describe('the calendar is that of the place of asking', () => {
  test.each([
    ['2023-05-08T23:30:00-08:00', '2023-05-07T08:00:00.000Z', '2023-05-08T08:00:00.000Z', '2023-05-07'],
    ['2023-05-08T00:30:00+14:00', '2023-05-06T10:00:00.000Z', '2023-05-07T10:00:00.000Z', '2023-05-07'],
    ['2023-05-08T00:30:00Z', '2023-05-07T00:00:00.000Z', '2023-05-08T00:00:00.000Z', '2023-05-07'],
    ['2023-05-08', '2023-05-07T00:00:00.000Z', '2023-05-08T00:00:00.000Z', '2023-05-07'],
    ['2024-03-01T01:00:00+05:30', '2024-02-28T18:30:00.000Z', '2024-02-29T18:30:00.000Z', '2024-02-29'],
  ])('%s', (questionDate, from, to, day) => {
    const window = findTimeWindow('What happened yesterday?', questionDate);
    expect(window).toMatchObject({ from, to, phrase: 'yesterday' });
    const dayMs = 86_400_000;
    const nextDay = new Date(Date.parse(day) + dayMs).toISOString();
    expect(window?.utcDays).toEqual({ from: `${day}T00:00:00.000Z`, to: nextDay });
  });

  test.each(['', 'never', '0001-01-01', '9999-12-31'])('there is no window as seen from "%s"', (questionDate) => {
    expect(findTimeWindow('What happened yesterday, or in June 2022?', questionDate)).toBeNull();
  });

  test('the time zone of this machine has no influence', () => {
    const before = process.env.TZ;
    const questions = [
      'yesterday',
      'last Friday',
      'two weeks ago',
      'in March',
      '7 May 2022',
      'three days before Christmas',
    ];
    const windows = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/Berlin'].map((zone) => {
      process.env.TZ = zone;
      return questions.map((question) => findTimeWindow(`What was ${question}?`, '2023-03-26T02:30:00+01:00'));
    });
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    for (const others of windows) expect(others).toEqual(windows[0]);
  });
});

test('a long question with characters that the grammar uses itself does no harm', () => {
  expect(windowOf(`\uE000 \uE001 ${'last week '.repeat(5_000)}`)?.[0]).toBe('2023-05-01');
});
