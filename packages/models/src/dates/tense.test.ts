import { describe, expect, test } from 'vitest';
import { annotateDates } from './annotate-dates.ts';
import { readItemDate } from './calendar.ts';
import { isoDayText } from './date-words.ts';

const wednesday = readItemDate('2023-05-10T12:00:00Z');

function daysOf(text: string): string {
  return annotateDates(text, wednesday).days.map(isoDayText).join(' ');
}

/** The first date that was added to the text. */
function addedTo(text: string): string {
  return /\(([^()]+)\)/.exec(annotateDates(text, wednesday).text)?.[1] ?? '';
}

describe('words that are no past, on a Wednesday', () => {
  test.each([
    ["We've got to leave on Friday."],
    ['We get married on Saturday.'],
    ['The shop is closed on Friday.'],
    ['My sister is being released on Friday.'],
    ["I'm not allowed to eat on Friday."],
    ["I'm excited about the concert on Friday."],
    ['lunch with ahmed on friday'],
    ['Lunch with Fred on Friday.'],
    ['Dinner with Said on Friday.'],
    ['I see Dr. Reed on Friday.'],
    ['I need someone to feed the cat on Friday.'],
    ['I need to read this on Friday.'],
    ['I need the report finished on Friday.'],
    ['I have my car serviced on Friday.'],
    ['I have an interview with a company based in Rome on Friday.'],
    ["There's a party organized by Ben on Friday."],
    ['We have a guided tour on Friday.'],
    ['Guided tour on Friday.'],
    ['The newly opened museum on Friday, who joins?'],
    ['I have a long-awaited concert on Friday.'],
    ['As discussed, we meet on Friday.'],
    ['The flat gets sold on Friday.'],
    ['I have a well-paid shift on Friday.'],
    ['I need the cake brought on Friday.'],
    ['I need to quit on Friday.'],
    ['Dinner with Drew on Friday.'],
    ['He was ill etc. See you on Friday.'],
    ['He left at 5 p.m. See you on Friday.'],
  ])('give no date: %s', (text) => {
    expect(annotateDates(text, wednesday)).toEqual({ text, days: [] });
  });
});

describe('what is arranged, on a Wednesday,', () => {
  test.each([
    ["I'm supposed to meet Anna on Tuesday.", '2023-05-16'],
    ["I'm scheduled to see the dentist on Friday.", '2023-05-12'],
    ["I've got a dentist appointment on Friday.", '2023-05-12'],
    ['I have a meeting with Ahmed on Friday.', '2023-05-12'],
    ['Ahmed has a meeting on Friday.', '2023-05-12'],
    ['I have an appointment with Dr. Smith on Tuesday.', '2023-05-16'],
    ['My final exam is on Saturday.', '2023-05-13'],
    ["Anna's wedding is on Saturday.", '2023-05-13'],
    ['The report is due by Monday.', '2023-05-15'],
    ['Please confirm by Friday.', '2023-05-12'],
    ['Please tell me by Friday if you join.', '2023-05-12'],
    ['By Friday, I need the files.', '2023-05-12'],
    ['I will be done by Wednesday.', '2023-05-10'],
    ['I am invited to a wedding on Saturday.', '2023-05-13'],
    ["She's invited to a party on Saturday.", '2023-05-13'],
    ['Is Anna invited on Saturday?', '2023-05-13'],
    ['On Friday, the results are expected.', '2023-05-12'],
    ["I'm supposed to meet Anna this Tuesday.", '2023-05-16'],
    ["I'm getting married on Saturday.", '2023-05-13'],
    ['I want to get vaccinated on Friday.', '2023-05-12'],
    ["Let's meet on Friday, as we discussed.", '2023-05-12'],
    ['I met Ben, so on Friday I will tell him.', '2023-05-12'],
  ])('is to come: %s', (text, day) => {
    expect(daysOf(text)).toBe(day);
  });

  test.each([
    ['I booked a table on Friday.'],
    ['I have been invited to a wedding on Saturday.'],
    ['I was supposed to meet Anna on Friday.'],
    ['She asked me to come on Friday.'],
    ['I promised to visit mum on Saturday.'],
    ['My flight was moved to 3pm on Friday.'],
    ['Anna emailed me that the interview is on Friday.'],
    ['She mentioned she has a meeting on Friday.'],
    ['He promised he would come on Friday.'],
    ['I noticed that we meet on Friday.'],
    ['I thought we could meet on Friday.'],
    ["I thought I'd come on Friday."],
    ["On Friday I'm told the results by the doctor who operated on me."],
  ])('or reported may be over or to come: %s', (text) => {
    expect(daysOf(text)).toBe('');
  });
});

describe('what may be so every week', () => {
  test.each([
    ['I have yoga on Monday.'],
    ['On Monday I go to yoga.'],
    ['My class is on Monday.'],
    ['The cleaner comes on Friday.'],
    ['Our weekly meeting is on Monday.'],
    ['I usually have a meeting on Monday.'],
    ['If I have an exam on Friday, I sleep badly.'],
    ['By Friday I am tired.'],
    ['I always need to be done by Friday.'],
    ['I finished it by Friday.'],
  ])('gives no date, nor does the past by a weekday: %s', (text) => {
    expect(daysOf(text)).toBe('');
  });
});

describe('the past, on a Wednesday,', () => {
  test.each([
    ['We visited Anna on Tuesday.', '2023-05-09'],
    ['Visited Anna on Tuesday.', '2023-05-09'],
    ['Ben: Moved to Porto on Tuesday.', '2023-05-09'],
    ['I was invited to a wedding on Saturday.', '2023-05-06'],
    ["I was invited to Ben's party on Saturday.", '2023-05-06'],
    ['Ahmed visited us on Friday.', '2023-05-05'],
    ["My mom's friend visited us on Friday.", '2023-05-05'],
    ['I had a dentist appointment on Friday.', '2023-05-05'],
    ['The deadline was on Friday.', '2023-05-05'],
    ['We registered on Friday.', '2023-05-05'],
    ['My car was fixed on Friday.', '2023-05-05'],
    ['I got my hair colored on Friday.', '2023-05-05'],
    ['We got married on Saturday.', '2023-05-06'],
    ['We have moved on Saturday.', '2023-05-06'],
    ["I'm so glad my parents visited on Friday.", '2023-05-05'],
    ['My favourite is the museum we visited on Friday.', '2023-05-05'],
    ['I am tired because we danced on Friday.', '2023-05-05'],
    ["I'm bored, I watched a film on Friday.", '2023-05-05'],
    ['On Friday, we danced.', '2023-05-05'],
    ['On Friday my sister, who is a nurse, visited me.', '2023-05-05'],
    ['They fixed it on Friday, it is great now.', '2023-05-05'],
  ])('is the last weekday: %s', (text, day) => {
    expect(daysOf(text)).toBe(day);
  });
});

test.each(
  'became broke brought built caught chose fell forgot grew held kept knew lent paid quit rode sent slept sold spoke taught thought threw woke wore'.split(
    ' ',
  ),
)('"%s" is in the past', (verb) => {
  expect(daysOf(`I ${verb} it on Friday.`)).toBe('2023-05-05');
});

describe('a month, in May 2023, is', () => {
  test.each([
    ['to come', "I'm supposed to start my new job in September.", 'September 2023'],
    ['to come', 'The results are expected in August.', 'August 2023'],
    ['to come', "We're getting married in June.", 'June 2023'],
    ['to come', 'We will be married in June.', 'June 2023'],
    ['to come', 'My baby is due in August.', 'August 2023'],
    ['over', 'I started at Google in March.', 'March 2023'],
    ['over', 'We visited Rome in August.', 'August 2022'],
    ['over', 'My promotion was announced in March.', 'March 2023'],
    ['over', 'I have a daughter who graduated in June.', 'June 2022'],
    ['unknown', 'The museum is closed in August.', ''],
    ['unknown', 'My cousin Fred turns 30 in June.', ''],
    ['unknown', 'I bought a dress because my cousin gets married in June.', ''],
    ['unknown', 'She said the exam is in June.', ''],
    ['unknown', 'I booked a flight in August.', ''],
  ])('%s: %s', (_, text, expected) => {
    expect(addedTo(text)).toBe(expected);
  });
});
