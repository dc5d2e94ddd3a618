import { describe, expect, test } from 'vitest';
import type { ExtractionItem } from '../ports.ts';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

async function ownOf(content: string, said: Partial<ExtractionItem> = {}): Promise<string[]> {
  const facts = await extractor.extract({ content, eventDate: '2026-11-16T10:00:00Z', context: null, ...said });
  return facts.filter(({ factType }) => factType !== 'world').map(({ text }) => text);
}

const own = 'I believe your product is a scam. I prefer your competitor. I sent the invoice to the customer.';
const mail = 'From: Peter Hahn <p.hahn@brightfield.example>\nTo: Support <support@x.example>\nSubject: Refund';

describe('what others wrote is nothing that the agent believes or did', () => {
  test.each([
    ['a mail', `${mail}\n\n${own}`],
    ['a mail with CRLF', `${mail}\n\n${own}`.replaceAll('\n', '\r\n')],
    ['a mail without address', `From: Peter\nSent: Monday, November 9, 2026 5:04 PM\nSubject: Refund\n\n${own}`],
    ['a mail below a note', `Please read this.\n\n${mail}\n\n${own}`],
    ['a forwarded mail', `---------- Forwarded message ---------\n${mail}\n\n${own}`],
    ['a letter', `Dear editor,\n\n${own}\n\nPaul Mertens, Leeds`],
    ['a salutation', `Hi Jonas,\n\n${own}`],
    ['a salutation of two names', `Hello Anna and Ben!\n${own}`],
    ['a letter to nobody in particular', `To whom it may concern:\n\n${own}`],
    ['a respectful closing', `${own}\n\nRespectfully,\nMarta Kowalska`],
    ['a name above its time', `Anna Berg\n9:14 AM\n${own}`],
    ['an unknown name above its time', `Xiuying Zhao\n9:14 AM\n${own}`],
    ['a closing', `${own}\n\nBest regards,\nMarta Kowalska`],
    ['a short closing', `${own}\n\nCheers\nMarta`],
    ['Slack', `Anna Berg  9:14 AM\n${own}`],
    ['Slack in brackets', `Anna Berg [9:14 AM]\n${own}`],
    ['Discord', `kestrel — Today at 09:30\n${own}`],
    ['Discord with a date', `Anna — 14/11/2026 09:14\n${own}`],
    ['Discord with a nick', `Kestrel — Today at 09:30\n${own}`],
    ['one blank', `Anna Berg 9:14 AM\n${own}`],
    ['a bar', `Anna Berg | 9:14 AM\n${own}`],
    ['brackets', `Anna Berg (9:14 AM)\n${own}`],
    ['an empty line below', `Anna Berg  9:14 AM\n\n${own}`],
    ['a clock without AM', `Anna Berg, 09:14\n${own}\nTom Wolf, 09:20\nI agree.`],
    ['a bar and a clock without AM', `Anna Berg | 09:14\n${own}`],
    ['brackets and a clock without AM', `Anna Berg (09:14)\n${own}`],
    ['a dash and a clock without AM', `Anna Berg — 09:14\n${own}`],
    ['a date and one blank', `Anna Berg 13.11.2026 09:14\n${own}`],
    ['an ISO date', `Anna Berg 2026-11-13 09:14\n${own}`],
    ['a date in brackets', `Anna Berg (13.11.2026 09:14)\n${own}`],
    ['yesterday', `Anna Berg Yesterday at 09:14\n${own}`],
    ['Slack with an unknown name', `Xiuying Zhao  9:14 AM\n${own}`],
    ['Slack with unknown names', `Xiuying Zhao  09:14\n${own}\nOlumide Ade  09:20\nI agree.`],
    ['Teams with an unknown name', `[9:14 AM] Xiuying Zhao\n${own}`],
    ['Telegram with an unknown name', `Xiuying Zhao, [14.11.26 19:06]\n${own}`],
    ['Discord with an unknown name', `Xiuying Zhao — 14/11/2026 9:14 AM\n${own}`],
    ['Discord with a role', `Kestrel [MOD] — Today at 09:14\n${own}`],
    ['a date and an unknown name', `Xiuying Zhao 13.11.2026 09:14\n${own}`],
    ['Teams', `[09:14] Anna Berg\n${own}`],
    ['Telegram', `Fatima, [14.11.26 19:06]\n${own}`],
    ['IRC', `<anna> ${own}`],
    ['IRC with an unknown nick', `<kestrel> ${own}`],
    ['IRC with unknown names', `<Kestrel> ${own}\n<Moss> I believe you.`],
    ['IRC with times', `[10:42] <anna> ${own}`],
    ['subtitles', `WEBVTT\n\n00:00:01.000 --> 00:00:05.000\n<v Anna Berg>${own}</v>`],
    ['a review', `Review by Karin P., 2 stars. ${own}`],
    ['a review without stars', `Review from Karin P.\n${own}`],
    ['a review on its line', `Customer review by Karin on 3 May: ${own}`],
    ['a review with stars', `★★☆☆☆ Never again\n${own}`],
    ['minutes', `Minutes of the board\nPresent: Anna Berg, Tom Wolf\n\n${own}`],
    ['minutes with a list', `Attendees:\n- Anna Berg\n- Tom Wolf\n\n${own}`],
    ['minutes with a chair', `Present: Anna Berg (chair), Tom Wolf\n\n${own}`],
    ['minutes with lines', `Present:\nAnna Berg\nTom Wolf\n\n${own}`],
    ['a rating', `Rating: ★★☆☆☆\n${own}`],
    ['a closing with a comma', `${own}\nBest,\nMarta`],
    ['a closing below the text', `${own}\nKind regards\nMarta Kowalska`],
    ['an answer to the agent', `Hi,\n\n${own}\n\nCheers,\nPeter\n\nYou wrote:\nIt is sent.\nBest regards,\nAssistant`],
    ['a quotation', `> ${own}`],
    ['a name', `Peter: ${own}`],
    ['a mail to the agent', `From: Peter <p@x.example>\nTo: Mira <mira@x.example>\n\n${own}`],
  ])('%s', async (_, content) => {
    expect(await ownOf(content, { agentName: 'mira' })).toEqual([]);
  });

  test.each([
    'I do not believe in it, she added.',
    'In my opinion we need a new plan, she said.',
    'I think that the bridge is ugly, said the mayor.',
    'I prefer the old owner, Karin told reporters on Monday.',
    'I believe that prices will fall, the minister said in Rome.',
  ])('%s', async (content) => {
    expect(await ownOf(content)).toEqual([]);
  });
});

describe('by letter, what others wrote is theirs', () => {
  const answer = 'Hi Peter,\n\nI sent it to the user.\n\nBest regards,\nMira';
  const customer = `Hi Mira,\n\n${own}\n\nCheers,\nPeter`;

  test.each([
    ['the oldest first', `On 12.11.2026 Peter wrote:\n\n${customer}\n\nOn 13.11.2026 Mira wrote:\n\n${answer}`],
    ['the oldest first, and again', `${customer}\n\n${answer}\n\nPeter wrote again:\n\n${customer}`],
    ['the newest first', `${answer}\n\nPeter wrote:\n\n${customer}`],
    ['without salutation', `${own}\n\nCheers,\nPeter\n\n${answer}`],
    [
      'an answer without closing',
      `From: Mira <m@x.example>\nTo: Peter\nSubject: Hi\n\nI sent it to the user.\n\nPeter wrote:\n${own}`,
    ],
    ['below the last closing', `${customer}\n\n${answer}\n\n${own}`],
    [
      'mails',
      `${mail}\n\n${own}\n\nFrom: Mira <m@x.example>\nTo: Peter\nSubject: Re: Refund\n\nI sent it to the user.`,
    ],
    [
      'mails, its own first',
      `From: Mira <m@x.example>\nTo: Peter\nSubject: Hi\n\nI sent it to the user.\n\n${mail}\n\n${own}`,
    ],
  ])('%s', async (_, content) => {
    expect(await ownOf(content, { agentName: 'mira' })).toEqual([expect.stringMatching(/I sent it to the user\.$/)]);
  });

  test.each([
    ['a mail that its old one is below', `${mail}\n\n${own}\n\nPeter\n\nYou wrote:\nIt is sent.\n\nRegards,\nMira`],
    [
      'a mail with an answer',
      `From: Mira <m@x.example>\nTo: Peter\nSubject: Hi\n\nIt is sent.\n\nPeter wrote:\n${own}\n\nCheers,\nPeter`,
    ],
    [
      'a thread of many mails',
      `${`From: Mira <m@x.example>\nTo: Peter\n\nIt is sent.\n\n`.repeat(30)}${mail}\n\n${own}`,
    ],
  ])('%s', async (_, content) => {
    expect(await ownOf(content, { agentName: 'mira' })).toEqual([]);
  });
});

describe('below a line of its name and a time, the agent’s words are its own', () => {
  test.each([
    ['Anna, 09:14', 'Mira, 09:15'],
    ['Anna 09:14', 'Mira 09:15'],
    ['Anna (09:14)', 'Mira (09:15)'],
    ['Anna | 09:14', 'Mira | 09:15'],
    ['Anna — 09:14', 'Mira — 09:15'],
    ['Anna 13.11.2026 09:14', 'Mira 13.11.2026 09:15'],
    ['Anna 13.11.2026 9:14', 'Mira 13.11.2026 9:15'],
    ['Anna Berg, 09:14', 'Assistant, 09:15'],
    ['Anna Berg 13.11.2026 09:14', 'AI 13.11.2026 09:15'],
    ['Visitor  9:14 AM', 'Bot  9:15 AM'],
  ])('%s', async (first, second) => {
    const content = `${first}\n${own}\n${second}\nI sent it to the user.\n${first}\n${own}`;
    expect(await ownOf(content, { agentName: 'mira' })).toEqual([expect.stringMatching(/I sent it to the user\.$/)]);
  });
});

describe('what may be the agent’s own stays its own', () => {
  test.each([
    'I prefer tea.',
    'I think the hotel is too expensive. I prefer the farm near Kalmar.',
    'I think Anna said that the hotel is good.',
    'I think the early train is better, the user said nothing against it.',
    'I believe the hotel with 5 stars is best.',
    'I think we should meet at 9:15.',
    'In my opinion the review of the book is unfair.',
    'I read the review by Karin. I prefer the old owner.',
    'Note:\n\nI think the offer of 10:30 is better.',
    'Dear diary,\n\nI believe that I am happy.',
    'From: Rome\nTo: Oslo\n\nI prefer the train.',
    'I prefer a <b>short</b> answer.',
    'I think it fits because 3 < 5 and 5 > 3.',
    'Update 10:15\nI think the disk is broken.',
    'Update\n10:15\nI think the disk is broken.',
    'I answer\nRespectfully\nAlways\n\nI think that is right.',
    '2026-11-12 09:14 | Inbox\nI read the inbox.\n2026-11-12 09:22 | Disk\nI cleaned the disk.\n2026-11-12 09:31 | Inbox\nI think it is empty.',
    '12 Nov 2026 09:14 – Task Started\nI read the inbox. I think it is empty.\n12 Nov 2026 09:22 – Disk Cleaned\nI cleaned the disk.\n12 Nov 2026 09:31 – Task Started\nI read it again.',
    'Munich Airport\n10:15\nI booked it for the user.',
    'To whom it may concern is a bad start. I prefer a name.',
    'Heartbeat 10:15:00\nI checked the mail for the user.',
    'Daily Log 18:00\nI think the user prefers trains.',
    'Check-in 15:00\nI booked it for the user.',
    'Phone Call Anna 14:00\nI told the customer about the delay.',
    '[10:00] Backup\nI started it for the user.',
    'Update 13.11.2026 09:14\nI think the disk is broken.',
    'Daily Log — 13.11.2026 18:00\nI think the disk is broken.',
    'Anna 12:30\nTom 13:00\nI booked both for the user.',
    'Flight LH123 9:14 AM\nI booked it for the user.',
    'Agenda\nWelcome\t09:00\nAcme Roadmap\t09:30\nBrightfield Pilot\t10:30\nI sent it to the customer.',
    'Departures\nLufthansa Munich  09:14\nRyanair Dublin  09:40\nI sent it to the customer.',
    'Medication\nRamipril  08:00 AM\nInsulin Lantus  10:00 PM\nI sent it to the customer.',
    'Munich Airport  9:14 AM\nRome Fiumicino  10:50 AM\nI booked it for the user.',
    'Team Dinner — Today at 19:00\nI booked it for the user.',
    'Review from Tom came at 10:15. I think it is late.',
    'Germany 3:2\nI think Germany won.',
    'Calzone 9.00\nI ordered it for the user.',
    'The page had a bug.\n<div> was not closed. I fixed it for the user.',
    '<Header> and <Footer> stay. I prefer small files.',
    '<Suspense> wraps lazy parts. I prefer it.',
    '<T> stands for a type. I think it is hard.',
    'Present: a book for Anna\nI bought it for the user.',
    'Participants: the user and me.\nI explained the plan to the user.',
    'Design review from Tom is pending. I think it is late.',
    'Review by Anna tomorrow. I scheduled it for the user.',
    'It has ★★ in the guide. I think it is too expensive.',
    'Ranking\nGood\nBest\nTom\nI think Tom wins.',
    'Hello world example\n\nI wrote it for the user.',
    'I sent it to the user.\n\nBest regards,\nAssistant',
    'I sent it to the user.\n\nBest regards,\nYour Assistant',
    '# Preferences\n\n- I prefer short answers.\n- I believe in trains.',
  ])('%j', async (content) => {
    expect(await ownOf(content)).not.toEqual([]);
  });

  test.each<[string, string, Partial<ExtractionItem>]>([
    ['above a mail', `I think we should refund him.\n\n${mail}\n\nThe box was empty.`, {}],
    ['a letter with the role', 'Hi Jonas,\n\nI think the farm is better.', { role: 'assistant' }],
    [
      'a mail of the agent',
      'From: Mira <mira@x.example>\nSubject: Hi\nTo: Ana\n\nI think Rome is hot.',
      { agentName: 'mira' },
    ],
    ['a letter that it signed', 'Hi Ana,\n\nI think Rome is hot.\n\nBest,\nMira', { agentName: 'mira' }],
    [
      'above an answer to its letter',
      'Hi Ana,\n\nI think Rome is hot.\n\nBest,\nMira\n\nAna wrote:\nIs it?\nCheers,\nAna',
      { agentName: 'mira' },
    ],
    ['a post of the agent', 'Mira  9:14 AM\nI think Rome is hot.', { agentName: 'mira' }],
    [
      'the second paragraph of its post',
      'Mira  9:14 AM\nIt rains.\n\nI think Rome is hot.\n\nAnna  9:20 AM\nOk.',
      { agentName: 'mira' },
    ],
  ])('%s', async (_, content, said) => {
    expect(await ownOf(content, said)).toHaveLength(1);
  });
});
