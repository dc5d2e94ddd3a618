import { describe, expect, test } from 'vitest';
import type { ExtractionItem } from '../ports.ts';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

async function factsOf(content: string, said: Partial<ExtractionItem> = {}) {
  return extractor.extract({ content, eventDate: '2026-11-16T10:00:00Z', context: null, ...said });
}

async function textsOf(content: string, said: Partial<ExtractionItem> = {}): Promise<string[]> {
  return (await factsOf(content, said)).map(({ text }) => text);
}

const header = 'From: Peter Hahn <p.hahn@x.example>\nTo: Support <support@y.example>\nSubject: Refund';
const body = 'The piano was wet. I want a refund.';

describe('what is in a mail is said by its sender', () => {
  test.each([
    ['a mail', `${header}\n\n${body}`],
    ['with CRLF', `${header}\n\n${body}`.replaceAll('\n', '\r\n')],
    ['without an empty line', `${header}\n${body}`],
    ['with its name in quotes', `${header.replace('Peter Hahn', '"Peter Hahn"')}\n\n${body}`],
    ['with its surname first', `${header.replace('Peter Hahn', '"Hahn, Peter"')}\n\n${body}`],
    ['with a sender below', `To: Support <support@y.example>\nFrom: Peter Hahn\nSubject: Refund\n\n${body}`],
    ['in bold', `${header.replaceAll(/^(\w+):/gm, '*$1*:')}\n\n${body}`],
    ['indented', `${header}\n.\n${body}`.replaceAll(/^/gm, '  ')],
    ['with a long field', `${header.replace('To: ', 'To: Anna <a@y.example>,\n  ')}\n\n${body}`],
    ['quoted on two lines', `On Mon, Nov 9, 2026 at 11:20 AM Peter Hahn <\np@x.example> wrote:\n\n> ${body}`],
    ['forwarded', `Please answer.\n\n---------- Forwarded message ---------\n${header}\n\n${body}`],
    ['quoted', `On Mon, Nov 9, 2026 at 11:20 AM Peter Hahn <p@x.example> wrote:\n\n> ${body}`],
    ['quoted with a day', `On 13.11.2026 Peter Hahn wrote:\n> ${body}`],
    ['quoted by a German program', `Am 13.11.2026 um 10:40 schrieb Peter Hahn <p@x.example>:\n\n> ${body}`],
    ['quoted without marks', `On 13.11.2026, 10:40, Peter Hahn wrote:\n\n${body}`],
    [
      'forwarded by a German program',
      `-----Ursprüngliche Nachricht-----\nVon: Peter Hahn <p@x.example>\nGesendet: Montag, 9. November 2026 07:58\nAn: Ana\nBetreff: WG: Piano\n\n${body}`,
    ],
    [
      'forwarded by a French program',
      `________________________________\nDe : Peter Hahn <p@x.example>\nEnvoyé : lundi 9 novembre 2026 07:58\nObjet : Piano\n\n${body}`,
    ],
  ])('%s', async (_, content) => {
    expect((await textsOf(content)).at(-1)).toMatch(/^Peter Hahn: (?:> )?I want a refund\.$/);
    const persons = (await factsOf(content)).at(-1)?.entities.map(({ name }) => name);
    expect(persons).toContain('Peter Hahn');
  });

  test('also in the item of a user, and until a line of another role', async () => {
    const content = `User: see this\n${header}\n\n${body}\nUser: I live in Bonn.`;
    expect((await textsOf(content, { role: 'user' })).slice(-2)).toEqual([
      'Peter Hahn: I want a refund.',
      'User: I live in Bonn.',
    ]);
  });

  test('and labels, paragraphs and signatures of a company do not change that', async () => {
    const texts = await textsOf(
      `${header}\n\nThe piano was wet.\n\nVAT ID: DE123\nPayment: by card\n\nThe stool stands in the hall.`,
    );
    expect(texts.slice(-3)).toEqual([
      'Peter Hahn: VAT ID: DE123',
      'Peter Hahn: Payment: by card',
      'Peter Hahn: The stool stands in the hall.',
    ]);
  });

  test('and each of several quotations by its own', async () => {
    const content =
      'On 13.11.2026 Peter Hahn wrote:\n> The piano was wet. The stool stood in the hall.\n> On 12.11.2026 Ana Lima wrote:\n>> The truck has left. The driver is new.\n> The lamp is broken.\n\nI call him.';
    expect(await textsOf(content)).toEqual([
      expect.stringMatching(/wrote:\n> The piano was wet\.$/),
      'Peter Hahn: The stool stood in the hall.',
      expect.stringMatching(/wrote:\n>> The truck has left\.$/),
      'Ana Lima: The driver is new.',
      'Peter Hahn: > The lamp is broken.',
      'I call him.',
    ]);
  });
});

describe('what is not in a mail is not', () => {
  test.each([
    ['below a closing', `${header}\n\n${body}\n\nBest regards,\nPeter\n\nThe lamp is broken.`],
    ['below a rule', `${header}\n\n${body}\n---\nThe lamp is broken.`],
    ['below the mark of a signature', `${header}\n\n${body}\n-- \nThe lamp is broken.`],
    ['below another salutation', `${header}\n\n${body}\n\nHi Peter,\n\nThe lamp is broken.`],
    [
      'below the mail of somebody without a name',
      `${header}\n\n${body}\n\nFrom: info@x.example\nTo: a@x.example\n\nThe lamp is broken.`,
    ],
    ['above a mail', 'The lamp is broken.'],
    [
      'below an indented closing',
      `${header}\n\n${body}\n\nBest regards,\nPeter\n\nThe lamp is broken.`.replaceAll(/^/gm, '  '),
    ],
    ['below a name alone', `${header}\n\n${body}\n\nPeter\n\nThe lamp is broken.`],
    ['below a heading', `${header}\n\n${body}\n\n## Notes\nI read it.\n\nThe lamp is broken.`],
    ['below a double rule', `${header}\n\n${body}\n\n=====\n\nThe lamp is broken.`],
    [
      'below the next day of a diary',
      `2026-11-12\nI got it.\n\n${header}\n\n${body}\n\n2026-11-13\nI left.\n\nThe lamp is broken.`,
    ],
    ['below the example of a mail', `\`\`\`\n${header}\n\n${body}\n\`\`\`\nI test it.\n\nThe lamp is broken.`],
    ['below a mail of its own', 'From: Me <a@x.example>\nTo: Peter Hahn\n\nThe lamp is broken.'],
    ['a note below a day by hand', 'On 13.11.2026 Peter Hahn wrote:\nThe piano was wet.\n\nThe lamp is broken.'],
    ['a note below a weekday and a time', 'On Monday at 9:15 Anna wrote:\nI am late.\n\nThe lamp is broken.'],
    ['a note below a page', 'On page 12 Anna wrote:\nNothing lasts.\n\nThe lamp is broken.'],
    ['a note below a place', 'On her blog, Anna Berg wrote:\nNothing lasts.\n\nThe lamp is broken.'],
    ['what some words of a sentence wrote', 'As Anna wrote:\n> I like the old town of Rome. The lamp is broken.'],
    ['what was written on a site', 'On Facebook Anna wrote:\n> I like the old town of Rome. The lamp is broken.'],
    [
      'a booking',
      '----------\nHotel: Anna <info@x.example>\nArrival: 12.11.2026 15:00\nRoom: 2\n\nThe lamp is broken.',
    ],
    [
      'an order',
      '---------- Order 7 ----------\nShop: Anna <a@x.example>\nOrdered: 12.11.2026 15:00\nItem: lamp\n\nThe lamp is broken.',
    ],
    ['a commit', '----\nAuthor: Anna <a@x.example>\nDate: 2026-11-12 15:00\n\nThe lamp is broken.'],
    [
      'below another mail of a short form',
      `${header}\n\n${body}\n\nFrom: info@x.example\nTo: Peter Hahn\n\nThe lamp is broken.`,
    ],
    ['a ticket', 'From: Rome\nTo: Oslo\n\nThe lamp is broken.'],
    ['a form', 'Name: Tom\nFrom: Rome\nDate: Mon, 5 May 2025 10:00:00\nSubject: maths\n\nThe lamp is broken.'],
    ['a sentence', 'I read what Anna Berg wrote:\nThe lamp is broken.'],
    ['what you wrote', 'On 13.11.2026 you wrote:\n\nThe lamp is broken.'],
    ['a note with a rule', '---\nHotel: Anna <info@x.example>\nBalance: 20\n\nThe lamp is broken.'],
  ])('%s', async (_, content) => {
    expect((await textsOf(content)).at(-1)).toMatch(/(?:^|\n)The lamp is broken\.$/);
    expect((await textsOf(content)).at(-1)).not.toMatch(/^Peter Hahn:|^Anna/);
  });

  test('nor what is said below a line of the conversation around it', async () => {
    const content = `User: see this\n${header}\n\n${body}\n\nAssistant: I noted it.\n> quoted\nI sent it to the customer.`;
    const facts = await factsOf(content);
    expect(facts.at(-1)).toMatchObject({ text: 'Assistant: I sent it to the customer.', factType: 'agent' });
  });

  test('nor below a quotation, with the empty line above it', async () => {
    const texts = await textsOf(
      '> On 13.11.2026 Peter Hahn wrote:\n> > The piano was wet. I want a refund.\n>\n> I called him. The lamp is broken.',
    );
    expect(texts.slice(1, 3)).toEqual([
      'Peter Hahn: I want a refund.',
      expect.stringMatching(/^>\s+> I called him\.$/),
    ]);
  });

  test('nor what the agent thinks of a letter by hand', async () => {
    const facts = await factsOf('On 3 November 2026 Anna wrote:\nThe roof leaks.\n\nI think she is right.', {
      agentName: 'Mira',
    });
    expect(facts.at(-1)).toMatchObject({ text: 'I think she is right.', factType: 'opinion' });
  });

  test('and the day of the week is no part of a name', async () => {
    expect((await textsOf(`On Monday Anna Berg wrote:\n> ${body}`)).at(-1)).toBe('Anna Berg: I want a refund.');
  });

  test('nor below the header of the last one of very many', async () => {
    const mails = Array.from({ length: 60 }, (_, index) => header.replace('Peter', `Peter${index}`));
    const texts = await textsOf(mails.map((each) => `${each}\n\nThe piano was wet.`).join('\n\n'));
    expect(texts.filter((text) => text.endsWith(': The piano was wet.'))).toHaveLength(50);
    expect(texts.at(-1)).toBe('The piano was wet.');
  });

  test('and the mails of the agent are its own', async () => {
    const content = `From: Mira <mira@x.example>\nTo: Peter Hahn\nSubject: Re: Refund\n\nI sent it to the customer.\n\n${header}\n\n${body}`;
    const facts = await factsOf(content, { agentName: 'mira' });
    expect(facts.filter(({ factType }) => factType !== 'world').map(({ text }) => text)).toEqual([
      'I sent it to the customer.',
    ]);
    expect(facts.at(-1)?.text).toBe('Peter Hahn: I want a refund.');
  });

  test('nor in the item of the assistant', async () => {
    expect((await textsOf(`${header}\n\n${body}`, { role: 'assistant' })).at(-1)).toBe('I want a refund.');
  });
});

test('relative dates below a header in another language are counted from its day, if it can be read', async () => {
  const mail = (day: string) =>
    `-----Ursprüngliche Nachricht-----\nVon: Peter Hahn <p@x.example>\nGesendet: ${day} 07:58\nBetreff: Piano\n\nThe crane broke down yesterday.`;
  expect((await textsOf(mail('Montag, 9. November 2026'))).at(-1)).toContain('yesterday (8 November 2026)');
  expect((await textsOf(mail('Montag, 2. März 2026'))).at(-1)).toMatch(/yesterday\.$/);
  expect((await textsOf(mail('09.11.2026'))).at(-1)).toContain('yesterday (8 November 2026)');
});
