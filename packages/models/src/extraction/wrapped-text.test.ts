import { describe, expect, test } from 'vitest';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

async function textsOf(content: string): Promise<string[]> {
  const facts = await extractor.extract({ content, eventDate: '2026-11-16T10:00:00Z', context: null });
  return facts.map(({ text }) => text);
}

const sentences = [
  'We looked at the three offers and found that the one from the Danish company covers everything we asked for except the delivery.',
  'Ingrid will call them soon because she knows the sales manager from her time in Aarhus.',
  'The total comes to about forty thousand kroner, which is less than what we planned in spring.',
  'If the board agrees, we could sign the contract before the holidays and get the first desks in January.',
  'The old chairs can go to the school in Lund, where a friend is collecting furniture for the new library.',
];

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

const bare = (text: string) =>
  text
    .replace(/^[> ]+/, '')
    .replace(/\s+/g, ' ')
    .replace(/^She/, 'Ingrid');

describe.each(['\n', '\r\n'])('sentences that are wrapped with %j stay whole', (lineEnd) => {
  test.each(['', '> ', '>> ', '> > '].flatMap((mark) => [60, 66, 72, 76].map((width) => [mark, width] as const)))(
    'behind %j, at %i characters',
    async (mark, width) => {
      const content = wrapped(sentences.join(' '), width)
        .map((line) => mark + line)
        .join(lineEnd);
      expect((await textsOf(content)).map(bare)).toEqual(sentences);
    },
  );
});

describe('quoted lines are joined', () => {
  test.each<[string, string[]]>([
    ['> I like tea and\n> coffee.', ['> I like tea and coffee.']],
    ['> I like tea and\r\n> coffee.', ['> I like tea and coffee.']],
    ['> I will be in\n> Oslo at noon.', ['> I will be in Oslo at noon.']],
    ['> > The price is\n> > 900 euros.', ['> > The price is 900 euros.']],
    ['> - I like the\n>   farm.\n> - Ben likes\n>   chess.', ['> - I like the farm.', '> - Ben likes chess.']],
    [
      '> We looked at the offers and\n> found that they are\n> good.',
      ['> We looked at the offers and found that they are good.'],
    ],
    ['> Ana moved on\n> 3 November 2026.', ['> Ana moved on 3 November 2026.']],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['> I sold the\n>> boat in May.', ['> I sold the', '>> boat in May.']],
    ['>> I sold the\n> boat in May.', ['>> I sold the', '> boat in May.']],
    ['> I like tea.\n> Ben likes coffee.', ['> I like tea.', '> Ben likes coffee.']],
    ['> I like tea.\n\nBen likes coffee.', ['> I like tea.', 'Ben likes coffee.']],
    ['> I live in Rome\n> Ben lives in Oslo', ['> I live in Rome', '> Ben lives in Oslo']],
    ['> Subject: where I am\n> Sent: today', ['> Subject: where I am\n> Sent: today']],
    ['```\n> select a from\n> b\n```', ['```\n> select a from\n> b\n```']],
    ['> I like tea and\n>\n> coffee is fine.', ['> I like tea and\n>', '> coffee is fine.']],
    ['I know 3 > 2 and\n5 > 4 too.', ['I know 3 > 2 and\n5 > 4 too.']],
    ['> | a | b |\n> | c | d |', ['> | a | b |\n> | c | d |']],
  ])('but not %j', async (content, expected) => {
    const texts = await textsOf(content);
    expect(texts.map((text) => text.replace(/ \(\d.*?\)/, ''))).toEqual(expected);
  });
});

describe('what two persons wrote are two facts', () => {
  test.each<[string, string[]]>([
    [
      '> We need room for 16 people.\n>> I am allergic to dogs.\n> Jonas',
      ['> We need room for 16 people.', '>> I am allergic to dogs.', '> Jonas'],
    ],
    ['>> I am allergic to dogs.\n> Thanks!\n\nNoted.', ['>> I am allergic to dogs.', '> Thanks!', 'Noted.']],
    ['> The house is cold.\n\nIt is old too.', ['> The house is cold.', 'It is old too.']],
    ['> I moved to Rome.\n> Jonas', ['> I moved to Rome.\n> Jonas']],
    ['Jonas wrote:\n> I moved to Rome.', ['Jonas wrote:\n> I moved to Rome.']],
  ])('%j', async (content, expected) => {
    expect(await textsOf(content)).toEqual(expected);
  });
});

describe('an answer below a quoted question stays with it', () => {
  test.each<[string, string[]]>([
    [
      '> Do you like the new office?\nYes, a lot.\n> When do you move?\nOn Friday.',
      ['> Do you like the new office?\nYes, a lot.', '> When do you move?\nOn Friday.'],
    ],
    ['> When do you move?\n\nOn Friday.', ['> When do you move?\n\nOn Friday.']],
    ['>> When do you move?\n> On Friday.', ['>> When do you move?\n> On Friday.']],
    ['> When do you move?\n> Thanks, Ben\n\nOn Friday.', ['> When do you move?\n> Thanks, Ben\n\nOn Friday.']],
    ['> Is it cold?\nIt is warm.', ['> Is it cold?\nIt is warm.']],
    ['When do you move?\n> On Friday.', ['When do you move?', '> On Friday.']],
    ['> When do you move?\nI moved to Rome.', ['> When do you move?', 'I moved to Rome.']],
    ['> Do you move?\nYes.\n> Jonas', ['> Do you move?\nYes.', '> Jonas']],
    ['> I moved to Rome.\nGood for you.', ['> I moved to Rome.', 'Good for you.']],
  ])('%j', async (content, expected) => {
    const texts = await textsOf(content);
    expect(texts.map((text) => text.replace(/ \(\d.*?\)/, ''))).toEqual(expected);
  });

  test.each<[string, (index: number) => string]>([
    ['answers', (index) => `> q${index} is it ok?\nyes ${index}\n`],
    ['lines that are quoted differently often', (index) => `${'>'.repeat(1 + (index % 15))} text ${index} on\n`],
    ['statements', (index) => `> Ben has ${index}.\nYes.\n`],
  ])('a long item of %s has about 1000 facts', async (_, line) => {
    const content = Array.from({ length: 4_000 }, (_each, index) => line(index)).join('');
    expect((await textsOf(content)).length).toBeLessThan(1500);
  });
});
