import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();
const eventDate = '2023-05-08T13:56:00Z';

function extract(content: string, date = eventDate) {
  return extractor.extract({ content, eventDate: date, context: null });
}

async function textsOf(content: string): Promise<string[]> {
  return (await extract(content)).map(({ text }) => text);
}

describe('an item becomes facts that can be understood alone', () => {
  test('each statement is a fact, as written but for a pronoun that can only mean one person', async () => {
    const content = 'Anna lives in Berlin.  She has two cats!\nThey are called Tom & Jerry.';
    expect(await textsOf(`  ${content}\n`)).toEqual([
      'Anna lives in Berlin.',
      'Anna has two cats!\nThey are called Tom & Jerry.',
    ]);
  });

  test('a long item becomes several, and none of its words is lost', async () => {
    const content = Array.from({ length: 40 }, (_, i) => `The warehouse number ${i} holds goods of many kinds.`).join(
      ' ',
    );
    const texts = await textsOf(content);
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.join(' ')).toBe(content);
    expect(texts.every((text) => text.length <= 300)).toBe(true);
  });

  test('the speaker stands in each fact of a long turn', async () => {
    const texts = await textsOf(
      `Anna: ${'I moved to a house by the river in spring, and it has a garden. '.repeat(12)}`,
    );
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.every((text) => text.startsWith('Anna: '))).toBe(true);
  });

  test('each turn of a transcript keeps its own speaker', async () => {
    const line = 'I have worked for the railway for nearly twenty years, and I like it every single day.';
    const texts = await textsOf(
      Array.from({ length: 6 }, (_, i) => `${i % 2 === 0 ? 'Anna' : 'Ben'}: ${line}`).join('\n'),
    );
    expect(texts).toEqual(['Anna', 'Ben', 'Anna', 'Ben', 'Anna', 'Ben'].map((name) => `${name}: ${line}`));
  });

  test('an answer stays with its question', async () => {
    const filler = `Ben: ${'The garden needs some water today, I would say. '.repeat(8).trim()}`;
    const question =
      'Anna: Which of the towns along the river did you like best?\nBen: I liked the one with the old mill most of all, I think.';
    expect(await textsOf(`${filler}\n${question}`)).toContain(question);
  });

  test('a sentence that depends on the one before stays with it', async () => {
    const first = `The committee decided ${'after a long debate '.repeat(13)}to build the bridge.`;
    const texts = await textsOf(`${first} It will be paid for by the county and opened in autumn by the mayor.`);
    expect(texts).toHaveLength(1);
  });

  test('an image has its caption', async () => {
    const content = 'The trip to Rome was great.\n![Anna at the Colosseum](IMG_1.jpg)\nWe ate pizza.';
    expect(await textsOf(content)).toEqual(content.split('\n'));
  });

  test('a word that begins with a full stop stays whole', async () => {
    expect(await textsOf('We use .NET at work.')).toEqual(['We use .NET at work.']);
  });

  test('an abbreviation does not end a sentence', async () => {
    const sentence = `Dr. Smith met Mrs. Jones, e.g. on the stairs, ${'and they talked for a while '.repeat(12)}.`;
    expect(await textsOf(`${sentence} ${sentence}`)).toEqual([sentence, sentence]);
  });
});

describe('the date of a fact', () => {
  test.each([
    ['I saw a film yesterday.', eventDate, '2023-05-07T12:00:00.000Z'],
    ['I saw a film yesterday.', '2023-05-08T23:30:00-08:00', '2023-05-07T20:00:00.000Z'],
    ['I saw a film on 3 March 2021.', eventDate, '2021-03-03T12:00:00.000Z'],
    ['I saw a film.', '2023-05-08T15:56:00+02:00', '2023-05-08T13:56:00.000Z'],
    ['I saw a film today.', eventDate, '2023-05-08T13:56:00.000Z'],
    ['I saw one yesterday and see one tomorrow.', eventDate, '2023-05-08T13:56:00.000Z'],
    ['I saw a film last year.', eventDate, '2023-05-08T13:56:00.000Z'],
    ['I saw a film yesterday.', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['I see a film next year.', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['I saw a film.', 'some day', null],
  ])('%s (%s) is %s', async (content, date, expected) => {
    const [fact] = await extract(content, date);
    expect(fact?.eventDate).toBe(expected);
  });

  test.each([
    'We met on 3/4/2023 for the first time and moved together on 28.04.2023.',
    'Hired 03/04/2020, born 01.02.1990 in Bonn.',
    'We moved on 28.04.2023, after we had met on 3-4-2023.',
    'We met on 3/4/2023 and moved together on 2023-04-28.',
    'We met on 3/4/2023 and moved together on 28 April 2023.',
    'We met on 3/4/2023 and moved together yesterday.',
    'We met on 3/4/23 and moved together on 28.04.2023.',
    'We met on 13/4/23 and moved together on 28.04.2023.',
    'We met on 4/13/23 and moved together on 28.04.2023.',
    '[28.04.2023, 10:42] Anna: We met on 3/4/2023 and moved on 13.04.2023.',
    'Contract of 28.04.2023, deadline updated to 13.06.2023.',
    'We met on 3/4/23 and moved together on 28.04.2023 (28/4/23).',
  ])('a fact with a date that cannot be read keeps its own day: %s', async (content) => {
    const said = content.startsWith('[') ? '2023-04-28T12:00:00.000Z' : '2023-05-08T13:56:00.000Z';
    expect((await extract(content)).map((fact) => fact.eventDate)).toEqual([said]);
  });

  test.each([
    'We met in 2022 and moved together on 28.04.2023.',
    'We ate 3/4 of it on 28.04.2023.',
    'Two of 30/40/50 came on 28.04.2023.',
    'The score of 0/4/23 was set on 28.04.2023.',
    'We run version 3/4/2023 since 28.04.2023.',
    'See /a/3/4/2023 of 28.04.2023.',
    'Update to 12.10.2023 of the driver was on 28.04.2023.',
    'We moved on 28.04.2023, again 28/04/2023.',
    'The phone 3-4-2023 rang on 28.04.2023.',
    '[3/4/2023, 10:42] Anna: We moved on 28.04.2023.',
    '3/4/23, 10:42 - Anna: We moved on 28.04.2023.',
    'On 28 April 2023 (4/28/23) we moved.',
    'We moved on 28.04.2023 (28/04/23).',
    'We moved on 28 April 2023 (23/4/28).',
    'Flat 3/4/12 was sold on 28.04.2023.',
    'Version 3/4/23 came on 28.04.2023.',
  ])('but not one with another number: %s', async (content) => {
    expect((await extract(content)).map((fact) => fact.eventDate)).toEqual(['2023-04-28T12:00:00.000Z']);
  });

  test.each([
    ['Yesterday (5/7/23) we moved.', '2023-05-07T12:00:00.000Z'],
    ['On 3 April 2023 (3/4/2023) we moved.', '2023-04-03T12:00:00.000Z'],
    ['The deadline was updated to 13.06.2023.', '2023-06-13T12:00:00.000Z'],
  ])('nor one that only repeats its day: %s', async (content, expected) => {
    expect((await extract(content)).map((fact) => fact.eventDate)).toEqual([expected]);
  });

  test('a date in the heading of a list does not matter to an entry with a day of its own', async () => {
    const facts = await extract(`Since 3/4/2023:\n- ${'a'.repeat(280)}\n- We moved on 28.04.2023.`);
    expect(facts.at(-1)?.eventDate).toBe('2023-04-28T12:00:00.000Z');
  });
});

describe('what was said on a written date is counted from it', () => {
  const forwarded =
    'From: Ana Silva <ana@example.com>\nDate: Mon, May 6, 2024 at 5:04 PM\nSubject: Rome\nTo: <ben@example.com>\n\nI fly tomorrow.';

  test.each([
    ['[2024-01-03 10:42] Anna: I saw a film yesterday. We fly tomorrow.', '2 January|4 January'],
    ['[Wed, January 3, 2024 at 5:04 PM] Anna: I saw a film yesterday.', '2 January'],
    ['[3 January 2024] Anna: I saw a film yesterday.', '2 January'],
    ['[2024-01-03 10:42] Anna: I fly.\nI fly tomorrow.\n\nI fly tomorrow.', '4 January|16 May'],
    ['[2024-01-03 10:42] Anna: I fly.\nassistant: We fly tomorrow.', '16 May'],
    ['[2024-01-03 10:42] Anna: I fly tomorrow.\n[2024-01-08 10:42] Anna: I flew yesterday.', '4 January|7 January'],
    ['[2024-01-03 10:42] Anna: I fly.\n[1/5/24, 10:42:11] Anna: I fly tomorrow.', ''],
    ['[2024-05-16 00:42] Anna: I fly tomorrow.', '17 May'],
    ['# 2024-01-03\n- Saw Anna yesterday.', '2 January'],
    ['```npm start``` works.\n# 2024-01-03\nI fly tomorrow.', '4 January'],
    ['# **Wednesday, 3 January 2024**\n\nI saw a film.\n\n## Plans\nI fly tomorrow.', '4 January'],
    ['## 2024-01-03\nI fly.\n## Plans\nI fly tomorrow.', '16 May'],
    ['# 2024-01-03\nI fly tomorrow.\n# 2024-01-08\nI flew yesterday.', '4 January|7 January'],
    ['On Mon, May 6, 2024 at 5:04 PM Ana Silva wrote:\n> I arrive tomorrow.', '7 May'],
    ['On 6 May 2024 Ana Silva <ana@example.com>\nwrote:\n\n> Hello.\n\nI fly tomorrow.', '16 May'],
    ['On 6 May 2024 Ana wrote:\n> On 3 May 2024 Ben wrote:\n>> I fly tomorrow.\n> I come tomorrow.', '4 May|7 May'],
    [
      'Date: Wed, 3 Jan 2024 10:03:00 +0100\nSubject: Rome\n\nI flew yesterday.\n\nI fly tomorrow.',
      '2 January|4 January',
    ],
    ['From: Ana <ana@example.com>\r\nDate: 3 Jan 2024\r\n\r\nI fly tomorrow.', '4 January'],
    [
      'From: Ana\nSent: Monday, May 6, 2024 9:14 AM\nSubject: Rome\n\nI fly tomorrow.\n___\nI fly tomorrow.',
      '7 May|16 May',
    ],
    [
      'Subject: A\nCc: Ben\nDate: 6 May 2024\n\nI fly tomorrow.\n\nSubject: B\nCc: Ben\nDate: 3 May 2024\n\nI fly tomorrow.',
      '7 May|4 May',
    ],
    [
      '> From: ana@example.com\n> Date: 6 May 2024\n> Subject: Rome\n>\n> I fly tomorrow.\n\nI fly tomorrow.',
      '7 May|16 May',
    ],
    ['Minutes of the board meeting\nDate: 3 January 2024\nPlace: Rome\n\nThe heating broke yesterday.', '2 January'],
    ['**Date:** 3 January 2024\n**Attendees:** Anna, Ben\n\nThe heating broke yesterday.', '2 January'],
    ['Date: 3 January 2024\n\nThe heating broke yesterday.', '2 January'],
    ['## Journal, 3 January 2024\nI fly tomorrow.\n## Plans\nI fly tomorrow.', '4 January|16 May'],
    ['# Team standup 2024-01-03\n- Anna: flew yesterday', '2 January'],
    ['# Rome, 3 January 2024\nI fly tomorrow.', '4 January'],
    ['Wednesday, 3 January 2024\nI fly tomorrow.\n\nMonday, 8 January 2024\nI flew yesterday.', '4 January|7 January'],
    ['# 2024-01-03\nI flew.\n## Meeting 2024-06-01\nBring it.\n## Done\nI fly tomorrow.', '4 January'],
    ['Rome, 3 January 2024\n\nDear Ana,\nI fly tomorrow.', '4 January'],
    ['2024-01-03: I fly tomorrow.\n2024-01-05: Rome.\n2024-01-08: I flew yesterday.', '4 January|7 January'],
    ['2024-01-03 10:15 Anna: I fly tomorrow.\n2024-01-08 10:15 Ben: I flew yesterday.', '4 January|7 January'],
    ['13/1/24, 10:15 - Anna: I fly tomorrow.\n1/2/24, 10:15 - Ben: I flew yesterday.', '14 January|31 January'],
    ['1/13/24, 10:15 AM - Anna: I fly tomorrow.\n1/2/24, 10:15 AM - Ben: I flew yesterday.', '14 January|1 January'],
    ['3/12/24, 10:15 AM - Anna: I fly tomorrow.', '13 March'],
    ['03.04.24, 10:15 - Anna: I fly tomorrow.', '4 April'],
    ['2024/04/03, 10:15 - Anna: I fly tomorrow.', '4 April'],
    ['2024/04/03 10:15 - Anna: I fly tomorrow.', '4 April'],
    ['13-01-2024 19:06 - Anna: I fly tomorrow.', '14 January'],
    ['13/01/2024 à 19:06 - Anna: I fly tomorrow.', '14 January'],
    ['13/01/2024 19:06 - Anna: I fly tomorrow.', '14 January'],
    ['13/1/24, 7:06 p. m. - Anna: I fly tomorrow.', '14 January'],
    ['1/13/24, 7:06\u202fPM - Anna: I fly tomorrow.', '14 January'],
    ['[03.04.24, 10:15:30] Anna: I fly tomorrow.', '4 April'],
    ['[03.04.2024, 10:15:30] Anna: I fly tomorrow.\n[08.04.2024, 10:15:30] Ben: I flew yesterday.', '4 April|7 April'],
    ['[13/01/2024, 10:15:30] Anna: I fly tomorrow.', '14 January'],
    ['[13/01/2024 à 10:15:30] Anna: I fly tomorrow.', '14 January'],
    ['[13-01-2024 10:15:30] Anna: I fly tomorrow.', '14 January'],
    ['[1/13/24, 7:06:01 PM] Anna: I fly tomorrow.', '14 January'],
    ['[1/13/24, 7:06:01\u202fPM] Anna: I fly tomorrow.', '14 January'],
    ['I fly.\n\u200e[1/13/24, 7:06:01 PM] Anna: I fly tomorrow.\n\u200e[1/15/24, 7:06 PM] Ben left', '14 January'],
    ['[2024/04/03, 10:15:30] Anna: I fly tomorrow.', '4 April'],
    ['[13/01/2024] Anna: I fly tomorrow.', '14 January'],
    ['[3/1/24, 10:15:30] Anna: I fly tomorrow.\n[13/1/24, 10:15:30] Ben: I flew yesterday.', '4 January|12 January'],
    ['I fly.\n\nFrom: Ana\nSent: Monday, May 6, 2024 9:14 AM\nSubject: Rome\n\nI fly tomorrow.', '7 May'],
    [`I flew yesterday.\n\n---------- Forwarded message ---------\n${forwarded}`, '14 May|7 May'],
    [`---------- Forwarded message ---------\n${forwarded}`, '7 May'],
    [`Begin forwarded message:\n\n${forwarded}\nPS: I fly tomorrow, Mum.`, '7 May|7 May'],
    [
      'I fly.\n\n___\n**From:** Ana\n**Sent:** 6 May 2024 09:14\n**To:** Ben\n**Subject:** Rome\n\nI fly tomorrow.',
      '7 May',
    ],
    [
      `${forwarded}\n\n-----Original Message-----\nFrom: Ben\nSent: 3 May 2024\nSubject: A\n\nI fly tomorrow.`,
      '7 May|4 May',
    ],
    [`user: Keep this mail:\n\n${forwarded}\nassistant: I did.\nuser: I fly tomorrow.`, '7 May|16 May'],
    [`Anna: Here is the mail:\n${forwarded}\n\nBen: I fly tomorrow.`, '7 May|16 May'],
    [`I fly.\n\n${forwarded.replace('Mon, May 6, 2024 at 5:04 PM', '13/04/2024 17:04')}`, '14 April'],
    [`I fly.\n\n${forwarded.replace('Mon, May 6, 2024 at 5:04 PM', '03/04/2024 17:04')}`, ''],
    [`I fly.\n\n${forwarded.replace('Mon, May 6, 2024 at 5:04 PM', 'lundi 6 mai 2024 17:04')}`, ''],
    ['On 13/04/2024 17:04, Ana wrote:\n> I arrive tomorrow.', '14 April'],
    ['I fly.\n\nAm 06.05.2024 um 17:04 schrieb Ana Silva:\n> I arrive tomorrow.\n\nI fly tomorrow.', '7 May|16 May'],
    ['Le lun. 6 mai 2024 à 17:04, Ana Silva a écrit :\n> I arrive tomorrow.\n\nI fly tomorrow.', '16 May'],
  ])('%j', async (content, expected) => {
    expect(await datesIn(content)).toBe(expected);
  });

  test.each([
    ['[2019-01-03 10:42] Anna: I fly tomorrow.', '4 January 2019'],
    ['[20/01/2019, 10:42:01] Anna: I fly tomorrow.', '21 January 2019'],
    ['20.01.19, 10:42 - Anna: I fly tomorrow.', '21 January 2019'],
    ['From: Ana <ana@example.com>\nDate: 3 Jan 2019\n\nI fly tomorrow.', '4 January 2019'],
    ['On 3 January 2019 Ana wrote:\n> I fly tomorrow.', '4 January 2019'],
    ['# 2019-01-03\nI fly tomorrow.', '4 January 2019'],
    ['## Journal, 3 January 2019\nI fly tomorrow.', '4 January 2019'],
    ['Thursday, 3 January 2019\nI fly tomorrow.', '4 January 2019'],
    ['Minutes of the board meeting\nDate: 3 January 2019\n\nI fly tomorrow.', '4 January 2019'],
    ['2019-01-03: I fly tomorrow.\n2019-01-05: Rome.', '4 January 2019'],
    ['[1970-01-03 10:42] Anna: I fly tomorrow.', '4 January 1970'],
    ['[1969-01-03 10:42] Anna: I fly tomorrow.', undefined],
    ['Rome, 3 January 1945\n\nDear Ana,\nI fly tomorrow.', undefined],
  ])('however long ago, but not before 1970: %j', async (content, expected) => {
    const text = (await textsOf(content)).find((each) => each.includes('tomorrow'));
    expect(/\((.*?)\)/.exec(text ?? '')?.[1]).toBe(expected);
  });

  test.each([
    ['2024-01-03: Rome.\nI fly tomorrow.'],
    ['[1.2.10] Anna: I fly tomorrow.'],
    ['[13.1.24] Anna: I fly tomorrow.'],
    ['[10:15:30] Anna: I fly tomorrow.'],
    ['[10.0.13.7] Anna: I fly tomorrow.'],
    ['[32/13/2023, 10:15:30] Anna: I fly tomorrow.'],
    ['[13/01/2024, 10:15:30] Rome\nI fly tomorrow.'],
    ['13/01/2024 10:15 Rome\nI fly tomorrow.'],
    ['My trip:\n\nFrom: Rome\nTo: Paris\nDate: 3 January 2024\n\nI fly tomorrow.'],
    ['From: the kitchen\nI ate.\nDate: 3 January 2024\n\nI fly tomorrow.'],
    ['The order:\n\nFrom: Rome\nTo: Oslo\nSent: 3 January 2024\n\nI fly tomorrow.'],
    ['On 5 pages he wrote:\nHello.\n\nI fly tomorrow.'],
    ['January 3, 2024\nI fly tomorrow.'],
    ['- [2024-01-03 10:42] Rome.\nI fly tomorrow.'],
    ['[2024-01-03] founded by Anna\nI fly tomorrow.'],
    ['[2024-02-31 10:42] Anna: I fly tomorrow.'],
    ['[January 3] Anna: I fly tomorrow.'],
    ['# 2024-01-03 to 2024-01-05\nI fly tomorrow.'],
    ['# 2024-01-03: Rome\nI fly tomorrow.'],
    ['On 6 May 2024 Ana wrote:\nI fly tomorrow.'],
    ['On 6 May 2024 Ana wrote:\nHello.\n> I fly tomorrow.'],
    ['```\n[2024-01-03 10:42] ERROR\n```\nI fly tomorrow.'],
    ['[2024-01-03 10:42] Anna: I fly.\n[2024-06-15 10:42] Ben: I fly tomorrow.'],
    ['# 2024-06-15\nI fly tomorrow.'],
    ['3 January 2024 was the best day.\nI fly tomorrow.'],
    ['2024-01-03 moved to Rome\n2024-02-05 met Anna\nI fly tomorrow.'],
    ['2024-01-03: moved to Rome\n2024-02-05: met Anna\nI fly tomorrow.'],
    ['2024-02-05: met Anna\n2024-01-03: moved to Rome\n2024-03-01: I fly tomorrow.'],
    ['2024-01-03: I fly tomorrow.'],
    ['2024-01-03 10:15 Rome\nI fly tomorrow.'],
    ['We met on\nWednesday, 3 January 2024\nI fly tomorrow.'],
    ['Plan for 3 January 2024\nI fly tomorrow.'],
    ['# Next meeting, 3 January 2024\nI fly tomorrow.'],
    ['# Deadline 3 January 2024\nI fly tomorrow.'],
    ['Dinner with Anna\nDate: 3 January 2024\nPlace: Rome\n\nI fly tomorrow.'],
    ['Next meeting\nDate: 3 January 2024\nPlace: Rome\n\nI fly tomorrow.'],
    ['From: Rome\nTo: Paris\nDate: 3 January 2024\n\nI fly tomorrow.'],
    ['3 January 2024\n\nI fly tomorrow.'],
    ['Your letter of 3 January 2024\n\nDear Mr. Ito,\nI fly tomorrow.'],
    ['I missed the meeting on 3 January 2024\n\nI fly tomorrow.'],
    ['Minutes of 3 January 2024\n\nI fly tomorrow.'],
    ['# My notes of 3 January 2024\n\nI fly tomorrow.'],
    ['Dentist, 3 January 2024\n\nI fly tomorrow.'],
    ['Call Ana, 3 January 2024\nI fly tomorrow.'],
    ['Anna: Here is the mail:\nSubject: Trip\nCc: Ben\nDate: 5 May 2024\n\nWe leave.\n\nBen: I fly tomorrow.'],
    ['Subject: Physics\nDate: 3 January 2024\nGrade: A\n\nI fly tomorrow.'],
    ['From: Rome\nTo: Oslo\nCC: 1234\nDate: 3 January 2024\n\nI fly tomorrow.'],
    ['Anna is here.\nDate: 3 January 2024\n\nI fly tomorrow.'],
  ])('but not what only stands below one: %j', async (content) => {
    expect((await datesIn(content)).split('|').at(-1)).toBe('16 May');
  });

  test.each([
    [`From: Rome\n${'          to the north\n'.repeat(9)}We left early.`],
    [`${'Received: from a\n          by b with SMTP;\n          1 May 2024\n'.repeat(5)}Subject: Rome\n\nHello.`],
  ])('and lines that go on take no time: %j', async (content) => {
    const start = performance.now();
    await extract(content);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test('of a statement is its own, not that of the line above it that ends with a colon', async () => {
    const [fact] = await extract('The chat, exported on 5 May 2023:\nWe met Anna on 2 May 2023.');
    expect(fact?.eventDate).toBe('2023-05-02T12:00:00.000Z');
    const [other] = await extract('The chat, exported on 5 May 2023:\nWe met Anna.');
    expect(other?.eventDate).toBe('2023-05-05T12:00:00.000Z');
  });

  test('of an entry is its own, not that of the heading of its list', async () => {
    const entries = '- Anna: send the slides by May 15\n- Ben: call Acme by May 16\n- Tom: book the room';
    const facts = await extract(`Action items from May 3:\n${entries}`);
    expect(facts.slice(1).map(({ eventDate: each }) => each?.slice(0, 10))).toEqual(['2023-05-16', '2023-05-03']);
  });

  test('and where day and month may be exchanged, only whole dates are read', async () => {
    const facts = await extract(
      '4/3/24, 10:15 AM - Anna: I fly tomorrow.\n4/3/24, 10:16 AM - Ben: I moved on 5 June 2021.',
      '2024-05-15T12:00:00Z',
    );
    expect(facts.map(({ text, eventDate: each }) => [text, each?.slice(0, 10)])).toEqual([
      ['4/3/24, 10:15 AM - Anna: I fly tomorrow.', '2024-05-15'],
      ['4/3/24, 10:16 AM - Ben: I moved on 5 June 2021.', '2021-06-05'],
    ]);
  });

  test('and it is the date of the facts, unless they name another day', async () => {
    const content =
      '[2024-01-03 10:42] Anna: I saw a film yesterday. I have a cat.\n[2024-05-15 10:42] Ben: I have a dog.';
    const facts = await extract(content, '2024-05-15T12:00:00+02:00');
    expect(facts.map(({ eventDate: each }) => each)).toEqual([
      '2024-01-02T10:00:00.000Z',
      '2024-01-03T10:00:00.000Z',
      '2024-05-15T10:00:00.000Z',
    ]);
  });

  test.each([
    [
      '2024-06-10: Flight to Rome\n2024-06-12: Visit the Vatican\nI booked everything yesterday.',
      'I booked everything yesterday (7 May 2024).',
    ],
    ['10 June 2024: our flight leaves at 9. I booked it yesterday.', 'I booked it yesterday (7 May 2024).'],
    [
      'user: When were you founded?\nassistant:\nMay 5, 2020\nuser: Thanks! I visited the office yesterday.',
      'user: Thanks! I visited the office yesterday (7 May 2024).',
    ],
    [
      'We were married in Rome on\nMay 5, 2020\nand Anna came back yesterday.',
      'We were married in Rome on\nMay 5, 2020\nand Anna came back yesterday (7 May 2024).',
      '2024-05-08',
    ],
    [
      '# History of Acme\n2019-03-01: founded by Anna\n2020-06-01: first office in Rome\n\nWe meet Anna tomorrow at 10.',
      'We meet Anna tomorrow (9 May 2024) at 10.',
      '2024-05-09',
    ],
    [
      '12 May 1990: I was born in Rome. Two years ago I moved to Lisbon.',
      'Two years ago (2022) I moved to Lisbon.',
      '2024-05-08',
    ],
    ['July 20, 1969: the moon landing. I read about it yesterday.', 'I read about it yesterday (7 May 2024).'],
    ['## July 20, 1969\n\nThe moon landing. I read about it yesterday.', 'I read about it yesterday.', '2024-05-08'],
    ['[2020-06-01 10:00] Office in Rome\nWe met Anna yesterday.', 'We met Anna yesterday (7 May 2024).'],
    [
      'Name: Anna\nBirthday:\n5 May 1990\nShe moved to Rome last week.',
      'She moved to Rome last week (week of 29 April 2024).',
      '2024-05-08',
    ],
    ["To do\n2024-06-15: Anna's wedding\n\nThe server is in Rome.", 'The server is in Rome.', '2024-05-08'],
    [
      '- 2024-05-01: kickoff\n- 2024-05-03: design\n- 2024-05-06: review',
      '- 2024-05-01: kickoff\n- 2024-05-03: design\n- 2024-05-06: review',
      '2024-05-08',
    ],
  ])('and plans, answers and histories tell nothing of what follows: %j', async (content, text, day = '2024-05-07') => {
    const fact = (await extract(content, '2024-05-08T12:00:00Z')).at(-1);
    expect(fact).toMatchObject({ text, eventDate: `${day}T12:00:00.000Z` });
  });

  async function datesIn(content: string): Promise<string> {
    const facts = await extract(content, '2024-05-15T12:00:00Z');
    const dates = facts.flatMap(({ text }) => [...text.matchAll(/\((\d+ \w+) 2024\)/g)]);
    return dates.map(([, date]) => date).join('|');
  }
});

describe('odd input', () => {
  test.each([[''], ['   \n\t '], ['\u0000'], ['\u200b\u200e'], ['\u3000']])('%j has no fact', async (content) => {
    expect(await extract(content)).toEqual([]);
  });

  test.each([
    ['😀'],
    ['!'],
    ['null\u0000byte'],
    ['שלום עולם. מה שלומך?'],
    ['مرحبا بالعالم'],
    ['我昨天去了北京。天气很好。'],
    ['e\u0301'.repeat(20)],
    ['__proto__: constructor'],
    ['a\r\nb'],
  ])('%j is one fact', async (content) => {
    expect(await textsOf(content)).toEqual([content]);
  });

  test('a lone surrogate becomes the replacement character', async () => {
    expect(await textsOf('a\ud800b')).toEqual(['a\ufffdb']);
  });

  test('a surrogate pair is not split when a long sentence is cut', async () => {
    const texts = await textsOf(`a${'😀'.repeat(2_000)}`);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  test.each([
    ['letters', 'x'],
    ['capitals', 'X'],
    ['Chinese', '你好世界'],
    ['Chinese sentences', '你好，世界。'],
    ['names', 'Anna Bell '],
    ['initials', 'A. '],
    ['abbreviations', 'Dr. '],
    ['turns', 'Anna: hi\n'],
    ['quotes', '"I think '],
    ['dates', 'in two weeks ago yesterday '],
    ['dated lines', '[2024-01-03 10:42] I left yesterday.\n'],
    ['mails', 'From: Anna\nDate: 3 May 2023\nSubject: Rome\n\nI left yesterday.\n'],
    ['stamps', '4/3/23, 10:42 - Anna: I left yesterday.\n'],
    ['stamps in brackets', '\u200e[4/13/23, 10:42:11 AM] Anna: I left yesterday.\n'],
    ['forwarded mails', 'FYI\n\nFrom: Anna\nSent: 3/5/23\nSubject: Rome\n\nI left yesterday.\n'],
    ['quoted mails', 'On 3 May 2023 Ana wrote:\n> I left yesterday.\n> On 2 May 2023 Ben wrote:\n>> I left.\n'],
    ['closings', 'Hi Ana,\n\nI left.\n\nCheers,\nBen\n'],
    ['mails in another language', '---\nVon: Ana <a@b>\nDatum: 3.5.2023 10:00\n\nI left yesterday.\n'],
    ['names above times', 'Anna Berg\n9:14 AM\nI left yesterday.\n'],
    ['posts of yesterday', 'Anna Berg — Yesterday at 9:14\nI left yesterday.\n'],
    ['times before names', '3 May 2023 9:14 — Anna Berg\nI left.\n3 May 2023 9:14 — Ben Holt\nI left.\n'],
    ['days above times', '--- 3 May 2023\n10:14 <anna> I left yesterday.\n'],
    ['numeric dates', '13.11.2022, 13/Nov/22 '],
    ['a log', '2023-05-03: I left yesterday.\n'],
    ['code', '```\nlet x = 1; '],
    ['a line of code', '`` let x = 1; '],
    ['rows', '| a | b |\n'],
    ['a row', '| a '],
    ['entries', '- a thing\n'],
    ['headings', '# A heading:\n'],
    ['wrapped lines', 'And the\n'],
    ['pronouns', 'She and he. '],
    ['clauses', 'I ran home and my son was here; '],
    ['empty lines', '\n\n\nword\n'],
    ['prose', 'Anna met John Smith in Berlin yesterday. They talked about the project at Acme Corp. '],
  ])(
    '100 KB of %s end in bounded time with bounded facts',
    async (_, unit) => {
      const facts = await extract(unit.repeat(100_000 / unit.length));
      expect(facts.length).toBeLessThan(15_000);
      expect(facts.reduce((longest, { text }) => Math.max(longest, text.length), 0)).toBeLessThan(4_000);
    },
    30_000,
  );

  test('what yields too many facts is refused', async () => {
    const turns = 'User: Well.\nAgent: I made tea for the user.\n'.repeat(15_000);
    const message = expect.stringMatching(/^The text yields more than 20000 facts, .*in several batches\.$/);
    await expect(extract(turns)).rejects.toMatchObject({ code: 'too-large', isPassing: false, message });
  });
});

describe('the same item gives the same facts', () => {
  const content =
    'Anna: I was in Paris last Friday and in Rome two weeks ago. On Sunday we went home, and next summer we return.';

  test('in a second run, and from another extractor', async () => {
    const item = { content, eventDate, context: null };
    const facts = await extractor.extract(item);
    expect(await extractor.extract(item)).toEqual(facts);
    expect(await createRuleExtractor().extract(item)).toEqual(facts);
  });

  test('with the clocks and the language of other places', async () => {
    const zones = ['Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'UTC'];
    const dates = ['2023-03-26T02:30:00+01:00', '2023-05-08T23:59:00-11:00', '2024-02-29T00:01:00+14:00'];
    const here = await Promise.all(dates.map((date) => extract(content, date)));
    expect(extractElsewhere(zones, dates, content)).toEqual(zones.map(() => here));
  }, 30_000);
});

function extractElsewhere(zones: readonly string[], dates: readonly string[], content: string): unknown {
  const script = `
    const { createRuleExtractor } = await import(${JSON.stringify(new URL('./rule-extractor.ts', import.meta.url).href)});
    const items = ${JSON.stringify(dates.map((date) => ({ content, eventDate: date, context: null })))};
    const facts = [];
    for (const zone of ${JSON.stringify(zones)}) {
      process.env.TZ = zone;
      facts.push(await Promise.all(items.map((item) => createRuleExtractor().extract(item))));
    }
    console.log(JSON.stringify(facts));`;
  const env = { ...process.env, LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }));
}
