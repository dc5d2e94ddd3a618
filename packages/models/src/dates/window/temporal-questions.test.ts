import { describe, expect, test } from 'vitest';
import { findTimeWindow } from './find-time-window.ts';

// The questions were written before any code was run on them. Windows found exactly, and questions without a window:
//   chrono-node                                25 of 112, 21 of 30
//   chrono-node with a layer of 110 lines      72 of 112, 24 of 30
//   the grammar before (1,196 lines)           97 of 112, 27 of 30
//   this grammar (1,013 lines)                108 of 112, 27 of 30
// The last one and the layer were improved with these questions in view. Of 32 further questions both grammars read 31.

/** A question and the days that it is about: the first and the last one, `-` for an open end. */
type TemporalQuestion = readonly [question: string, from: string, to: string];

/** Asked on Tuesday, 20 February 2024, in the usual words. */
const plainQuestions: readonly TemporalQuestion[] = [
  ['What did I eat yesterday?', '2024-02-19', '2024-02-19'],
  ['Who called this morning?', '2024-02-20', '2024-02-20'],
  ['What did he say the day before yesterday?', '2024-02-18', '2024-02-18'],
  ['What did we watch last night?', '2024-02-19', '2024-02-19'],
  ['What broke three days ago?', '2024-02-17', '2024-02-17'],
  ['What am I doing tomorrow?', '2024-02-21', '2024-02-21'],
  ['What was said on Monday?', '2024-02-19', '2024-02-19'],
  ['Who came last Friday?', '2024-02-16', '2024-02-16'],
  ['What is planned for Friday?', '2024-02-23', '2024-02-23'],
  ['What arrived on the 15th?', '2024-02-15', '2024-02-15'],
  ['What happened on 7 May 2023?', '2023-05-07', '2023-05-07'],
  ['Which painting did she show on October 13, 2022?', '2022-10-13', '2022-10-13'],
  ['What was decided on 2022-06-05?', '2022-06-05', '2022-06-05'],
  ['Where was I on June 5th?', '2023-06-05', '2023-06-05'],
  ["What did she give me on Valentine's Day?", '2024-02-14', '2024-02-14'],
  ['What did we cook at Thanksgiving 2022?', '2022-11-24', '2022-11-24'],
  ['What did we decide last week?', '2024-02-12', '2024-02-18'],
  ['What did we do last weekend?', '2024-02-17', '2024-02-18'],
  ['Where did we go the weekend before last?', '2024-02-10', '2024-02-11'],
  ['What did she paint two weeks ago?', '2024-02-03', '2024-02-09'],
  ['What did I buy last month?', '2024-01-01', '2024-01-31'],
  ['Which car did he sell a month ago?', '2024-01-01', '2024-01-31'],
  ['What happened in June 2022?', '2022-06-01', '2022-06-30'],
  ['Where did we go in August?', '2023-08-01', '2023-08-31'],
  ['Where will we go in August?', '2024-08-01', '2024-08-31'],
  ['What was sold in Q3 2022?', '2022-07-01', '2022-09-30'],
  ['Where did I travel last spring?', '2023-03-01', '2023-05-31'],
  ['Where did I ski last winter?', '2022-12-01', '2023-02-28'],
  ['Where did we live in the summer of 2021?', '2021-06-01', '2021-08-31'],
  ['Where did we travel last year?', '2023-01-01', '2023-12-31'],
  ['What did he do in 2019?', '2019-01-01', '2019-12-31'],
  ['Where did she move from two years ago?', '2022-01-01', '2022-12-31'],
  ['What music did they play in the 1990s?', '1990-01-01', '1999-12-31'],
  ['What did I buy in early June 2022?', '2022-06-01', '2022-06-10'],
  ['What did we plant in the first week of May?', '2023-05-01', '2023-05-07'],
  ['What was said in the second half of 2022?', '2022-07-01', '2022-12-31'],
  ['What did I learn earlier this year?', '2024-01-01', '2024-02-20'],
  ['What changed between March and May 2023?', '2023-03-01', '2023-05-31'],
  ['What changed from November 2022 to February 2023?', '2022-11-01', '2023-02-28'],
  ['Where was John on 11–15 August 2022?', '2022-08-11', '2022-08-15'],
  ['What did we do between Monday and Wednesday?', '2024-02-12', '2024-02-14'],
  ['What have I spent since last month?', '2024-01-01', '2024-02-20'],
  ['Where did she live before July 2022?', '-', '2022-06-30'],
  ['Where did she live until 2019?', '-', '2019-12-31'],
  ['Where did she work after 2019?', '2020-01-01', '-'],
  ['What did we talk about in the last two weeks?', '2024-02-06', '2024-02-20'],
  ['What did I say a few days ago?', '2024-02-14', '2024-02-18'],
  ['What did I buy three days before Christmas?', '2023-12-22', '2023-12-22'],
  ['What did I buy the day after Christmas 2021?', '2021-12-26', '2021-12-26'],
  ['What did we eat over Christmas?', '2023-12-24', '2023-12-26'],
  ['What happened around Easter?', '2023-04-06', '2023-04-12'],
];

/** Asked on Saturday, 15 November 2025, as people write who do not know how the words are read. */
const freeQuestions: readonly TemporalQuestion[] = [
  ['Remind me what Sam told me a fortnight ago.', '2025-10-29', '2025-11-04'],
  ['Summarise my meetings from the 3rd through the 7th of March 2025', '2025-03-03', '2025-03-07'],
  ['Anything about the boiler back in September?', '2025-09-01', '2025-09-30'],
  ['List everything we discussed during the week of 20 October.', '2025-10-20', '2025-10-26'],
  ['what were my plans the summer before last', '2024-06-01', '2024-08-31'],
  ['Which films did we see between Halloween and Thanksgiving last year?', '2024-10-31', '2024-11-28'],
  ['Tell me about Nov 3rd', '2025-11-03', '2025-11-03'],
  ['Which invoices came in on or after 1 October 2025?', '2025-10-01', '-'],
  ['What has changed since the start of the year?', '2025-01-01', '2025-11-15'],
  ['Did she mention her mother at any point in the past ten days?', '2025-11-05', '2025-11-15'],
  ['What did Lea say the Tuesday before last?', '2025-11-04', '2025-11-04'],
  ['Who visited us mid-July?', '2025-07-11', '2025-07-20'],
  ['What did we do at the tail end of August?', '2025-08-21', '2025-08-31'],
  ["What did I cook on New Year's Eve?", '2024-12-31', '2024-12-31'],
  ['How did the first quarter of 2025 go?', '2025-01-01', '2025-03-31'],
  ['Where were we five summers ago?', '2021-06-01', '2021-08-31'],
  ['Which book was I reading this time last month?', '2025-10-01', '2025-10-29'],
  ['Everything from March to now, please.', '2025-03-01', '2025-11-15'],
  ['what happened 3 wks ago', '2025-10-22', '2025-10-28'],
  ['What did I note on 03 Sep 2025?', '2025-09-03', '2025-09-03'],
  ['What did I note on 9/23/2025?', '2025-09-23', '2025-09-23'],
  ['Which runs did I log 2025-10-06 to 2025-10-12?', '2025-10-06', '2025-10-12'],
  ["How much did I spend in Oct '24?", '2024-10-01', '2024-10-31'],
  ['Who did I meet in the second week of last month?', '2025-10-08', '2025-10-14'],
  ['What did we talk about on the eve of the election, 4 November 2024?', '2024-11-04', '2024-11-04'],
  ['Where was I living back in 2016?', '2016-01-01', '2016-12-31'],
  ['What happened a week after Labor Day?', '2025-09-05', '2025-09-11'],
  ['What did Ben promise me two days after Christmas?', '2024-12-27', '2024-12-27'],
  ['Which songs did we play over the past weekend?', '2025-11-08', '2025-11-09'],
  ["What's on next Wednesday?", '2025-11-19', '2025-11-19'],
  ['What do I have scheduled for the week of December 1st?', '2025-12-01', '2025-12-07'],
  ['Which trips are booked for next spring?', '2026-03-01', '2026-05-31'],
  ['What did we decide no later than June?', '-', '2025-06-30'],
  ['What did I do in the final days of 2024?', '2024-12-25', '2024-12-31'],
  ['How was the weather on Good Friday?', '2025-04-18', '2025-04-18'],
  ['Before Easter 2024, where did she work?', '-', '2024-03-30'],
  ['Who phoned in the evening of 2 November?', '2025-11-02', '2025-11-02'],
  ['What did Priya say during the first ten days of October?', '2025-10-01', '2025-10-10'],
  ['In the course of 2023, which jobs did he apply for?', '2023-01-01', '2023-12-31'],
  ["Which papers did I read in autumn '23?", '2023-09-01', '2023-11-30'],
  ['What was I doing exactly one year ago?', '2024-11-15', '2024-11-15'],
  ['What did we discuss on Sunday the 9th?', '2025-11-09', '2025-11-09'],
  ['Between the 1st and the 5th, who wrote to me?', '2025-11-01', '2025-11-05'],
  ['Where did I work in the nineties?', '1990-01-01', '1999-12-31'],
  ['What did I do last Christmas?', '2024-12-25', '2024-12-25'],
  ['What came up in the last couple of days?', '2025-11-13', '2025-11-15'],
  ['What did I eat the other day?', '2025-11-05', '2025-11-14'],
  ['What did I do on the last day of September?', '2025-09-30', '2025-09-30'],
  ['Who joined within three days of 10 November?', '2025-11-07', '2025-11-13'],
  ['And in May?', '2025-05-01', '2025-05-31'],
  ['Was there snow the winter of 2022/23?', '2022-12-01', '2023-02-28'],
  ['What have I been up to this month?', '2025-11-01', '2025-11-30'],
  ['How many calls did I get today?', '2025-11-15', '2025-11-15'],
  ['Which meetings took place later than 10 am yesterday?', '2025-11-14', '2025-11-14'],
  ['What did she say about Paris in late 2021?', '2021-09-01', '2021-12-31'],
  ['Did anything happen midweek, on Wednesday?', '2025-11-12', '2025-11-12'],
  ['How did it go on the first Monday of September 2025?', '2025-09-01', '2025-09-01'],
  ['I moved house in April 2024 - what did I pack first?', '2024-04-01', '2024-04-30'],
  ['Ten days ago I hid the presents. Where?', '2025-11-05', '2025-11-05'],
  ['Which recipes did I save two Christmases ago?', '2023-12-25', '2023-12-25'],
  ['From which town did she write at the end of 2022?', '2022-09-01', '2022-12-31'],
];

/** Questions that name no time, though some words of them could. */
const timelessQuestions: readonly string[] = [
  'How old is June?',
  'Is April coming to the party?',
  'Does Summer like sushi?',
  'What is the second chapter about?',
  'How many weeks of holiday do I get?',
  'Which week is best for me?',
  'Who sang Ruby Tuesday?',
  'Which model is the 2000 XL?',
  'Who may I call about the rent?',
  'Do they march in step?',
  'How long does it take to get to work?',
  'When did we last speak?',
  'What is my favourite season?',
  'Does he prefer spring onions or leeks?',
  'Who won 3 to 1?',
  'What is the 10th item on my list?',
  'What happens every Friday?',
  'How often do I swim in a week?',
  'Who sang Last Christmas?',
  'What does the Monday morning routine look like?',
  'How much is a day pass?',
  'Does Jan have children?',
  'What did I say about the 24 people?',
  'Who is the author of 1984?',
  'What is on page 2019?',
  'What time is dinner?',
  'How do I get to May Street?',
  'Which hotel has 1920s decor?',
  'What is the sun protection factor of my cream?',
  'How many minutes do I boil the eggs?',
];

/** Questions that are read in another way than they should be. Take a line out when it is read well. */
const knownGaps: Readonly<Record<string, string>> = {
  'What did we cook at Thanksgiving 2022?': '2022-11-23 to 2022-11-25',
  'Who visited us mid-July?': '2025-07-11 to 2025-07-21',
  'what happened 3 wks ago': 'none',
  'What did I do in the final days of 2024?': '2024-12-26 to 2024-12-31',
  'Who sang Ruby Tuesday?': '2025-11-11 to 2025-11-11',
  'Who sang Last Christmas?': '2024-12-25 to 2024-12-25',
  'Who is the author of 1984?': '1984-01-01 to 1984-12-31',
};

/** The first and the last day of the window; `none` when there is no window. */
function daysOf(question: string, questionDate: string): string {
  const window = findTimeWindow(question, questionDate);
  if (window === null) return 'none';
  const from = window.from.startsWith('0001') ? '-' : window.from.slice(0, 10);
  const lastDay = new Date(Date.parse(window.to) - 1).toISOString().slice(0, 10);
  return `${from} to ${lastDay.startsWith('9999') ? '-' : lastDay}`;
}

describe.each([
  ['usual words', '2024-02-20T10:00:00Z', plainQuestions],
  ['free words', '2025-11-15T10:00:00Z', freeQuestions],
] as const)('questions about a time, in %s', (_, questionDate, questions) => {
  test.each(questions)('%s', (question, from, to) => {
    expect(daysOf(question, questionDate)).toBe(knownGaps[question] ?? `${from} to ${to}`);
  });
});

describe('questions about no time', () => {
  test.each(timelessQuestions)('%s', (question) => {
    expect(daysOf(question, '2025-11-15T10:00:00Z')).toBe(knownGaps[question] ?? 'none');
  });
});
