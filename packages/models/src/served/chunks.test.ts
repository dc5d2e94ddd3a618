import { expect, test } from 'vitest';
import { chunksOf as chunksOfItem, longestChunk } from './chunks.ts';

const sentence = 'The committee met in the old town hall and talked about the bridge for a long time. ';

const chunksOf = (content: string) => chunksOfItem({ content });

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

test('a short text is one chunk, unchanged', () => {
  expect(chunksOf('Anna: Hi.\n\nBen: Hello.')).toEqual([
    { text: 'Anna: Hi.\n\nBen: Hello.', before: '', speaker: undefined, isOnlyOthers: true, agentName: undefined },
  ]);
});

test.each([
  ['sentences', sentence.repeat(300)],
  ['paragraphs', `${sentence.repeat(20)}\n\n`.repeat(12)],
  ['turns', `Anna: ${sentence.repeat(3)}\nBen: ${sentence}\n`.repeat(60)],
  ['one word without an end', 'x'.repeat(40_000)],
  ['emoji', `a${'😀'.repeat(12_000)}`],
  ['Chinese', '他昨天去了北京。'.repeat(3_000)],
  ['lines', 'item\n'.repeat(6_000)],
])('%s: no chunk is too long, and nothing is lost', (_, text) => {
  const chunks = chunksOf(text);
  expect(chunks.length).toBeGreaterThan(1);
  expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(longestChunk);
  expect(chunks.every((chunk) => chunk.text.isWellFormed() && chunk.before.isWellFormed())).toBe(true);
  expect(withoutBlanks(chunks.map((chunk) => chunk.text).join(''))).toBe(withoutBlanks(text));
});

test('a chunk ends with a paragraph where it can', () => {
  const paragraph = sentence.repeat(15).trim();
  const chunks = chunksOf(Array.from({ length: 9 }, () => paragraph).join('\n\n'));
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.every(({ text }) => text.split('\n\n').every((part) => part === paragraph))).toBe(true);
});

test('a chunk ends with a turn where it can', () => {
  const chunks = chunksOf(
    Array.from({ length: 40 }, (_, i) => `${i % 2 ? 'Anna' : 'Ben'}: ${sentence.repeat(4)}`).join('\n'),
  );
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.every(({ text }) => /^(?:Anna|Ben): /.test(text))).toBe(true);
});

test('a chunk has the end of the preceding one and its speaker', () => {
  const [, second] = chunksOf(`Anna: ${sentence.repeat(100)}`);
  expect(second?.speaker?.name).toBe('Anna');
  expect(second?.before.length).toBeGreaterThan(300);
  expect(sentence.repeat(9)).toContain(second?.before);
});

test.each([
  ['Anna: I moved.\nBen: Where to?', true],
  ['Anna: I moved.\nAssistant: Where to?', false],
  ['I moved.', false],
  ['It was late.\nAnna: I moved.', false],
  ['User: I think so.', true],
])('%j is said by others alone: %s', (text, expected) => {
  expect(chunksOf(text)[0]?.isOnlyOthers).toBe(expected);
});

test.each([
  ['Anna: Where to?\nMira: I recommended Rome.', 'mira', 'Mira'],
  ['Travel Desk: I recommended Rome.', 'travel-desk', 'Travel Desk'],
  ['Anna: Mira recommended Rome.', 'mira', undefined],
  ['Anna: Where to?\nMira: I recommended Rome.', undefined, undefined],
])('in %j the agent %s speaks under the name %s', (content, agentName, expected) => {
  const [chunk] = chunksOfItem({ content, agentName });
  expect(chunk?.agentName).toBe(expected);
  expect(chunk?.isOnlyOthers).toBe(expected === undefined);
});

test('the agent still speaks under its name in the next chunk', () => {
  const chunks = chunksOfItem({ content: `Mira: ${sentence.repeat(100)}`, agentName: 'mira' });
  expect(chunks.map(({ agentName }) => agentName)).toEqual(chunks.map(() => 'Mira'));
  expect(chunks.length).toBeGreaterThan(1);
});
