import { expect, test } from 'vitest';
import { markUnits } from './mark-units.ts';

/** The text with marks in brackets, and what has no place. */
function marked(text: string, ...facts: readonly string[]) {
  const { segments, elsewhere } = markUnits(
    text,
    facts.map((fact, index) => ({ id: `${index}`, text: fact })),
  );
  expect(segments.map((segment) => segment.text).join('')).toBe(text);
  for (const { start, text: part } of segments) expect(text.slice(start, start + part.length)).toBe(part);
  const drawn = segments.map(({ text: part, units }) =>
    units.length === 0 ? part : `[${part}|${units.map(({ id }) => id).join()}]`,
  );
  return { text: drawn.join(''), elsewhere: elsewhere.map(({ text: fact }) => fact) };
}

test('a sentence that a memory repeats is marked', () => {
  expect(marked('I live in Porto. Hello! I have a cat.', 'I have a cat.', 'I live in Porto.').text).toBe(
    '[I live in Porto.|1] Hello! [I have a cat.|0]',
  );
});

test('the speaker before a memory and the dates in it are not in the text', () => {
  expect(marked('Yesterday I moved to Lisbon.', 'Ana: Yesterday (7 May 2026) I moved to Lisbon.').text).toBe(
    '[Yesterday I moved to Lisbon.|0]',
  );
});

test('what is said twice belongs to the memories in their order', () => {
  expect(marked('Yes, tea.\nAnd cake.\nYes, tea.', 'Yes, tea.', 'And cake.', 'Yes, tea.').text).toBe(
    '[Yes, tea.|0]\n[And cake.|1]\n[Yes, tea.|2]',
  );
});

test('a memory in other words is where most of its words are, or nowhere', () => {
  const text = 'On Monday my sister Clara opened a bakery near the harbour. It rained.';
  const { text: drawn, elsewhere } = marked(text, 'Clara has opened a bakery at the harbour', 'Nothing of the kind');
  expect(drawn).toBe('[On Monday my sister Clara opened a bakery near the harbour.|0] It rained.');
  expect(elsewhere).toEqual(['Nothing of the kind']);
});

test('memories of one place share its mark', () => {
  expect(marked('I have a cat and a dog.', 'I have a cat', 'I have a cat and a dog.').text).toBe(
    '[I have a cat and a dog.|0,1]',
  );
});

test('letters whose lower case is longer do not move the marks', () => {
  expect(marked('İİİ was here. I have a cat.', 'I have a cat.').text).toBe('İİİ was here. [I have a cat.|0]');
});

test('a memory is found wherever it begins in a long text', () => {
  const text = Array.from({ length: 400 }, (_, index) => `${index} boats and ${index % 7} more`).join('\n');
  for (let start = 0; start < text.length - 40; start += 37) {
    const part = text.slice(start, start + 40).trim();
    const { segments } = markUnits(text, [{ id: 'x', text: part }]);
    expect(segments.find(({ units }) => units.length > 0)).toMatchObject({ start: text.indexOf(part), text: part });
  }
});

test('all memories of a long document are placed that say it in other words', () => {
  const sentences = Array.from(
    { length: 14_000 },
    (_, index) => `The customer ordered number ${10_000 + index} from the shop in the city of Porto today and paid.`,
  );
  const units = sentences.slice(0, 5_000).map((sentence, index) => ({
    id: `${index}`,
    text: sentence.replace('customer', 'client').replace('ordered', 'requested'),
  }));
  const { segments, elsewhere } = markUnits(sentences.join(' '), units);
  expect(elsewhere).toEqual([]);
  expect(segments.filter((segment) => segment.units.length === 1)).toHaveLength(5_000);
});
