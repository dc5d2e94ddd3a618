import { expect, test } from 'vitest';
import { readJson } from './answers.ts';

test.each([
  ['{"a":1}'],
  ['  {"a":1}\n'],
  ['```json\n{"a":1}\n```'],
  ['```\n{"a":1}```'],
  ['Here you are:\n```JSON\n{"a":1}\n```\nAnything else?'],
  ['Sure! {"a":1} Done.'],
  ['<think>{"a":2} or so? ```no```</think>\n{"a":1}'],
])('%j holds the object', (answer) => {
  expect(readJson(answer)).toEqual({ a: 1 });
});

test('a code fence inside of a value stays', () => {
  const value = { a: 'use ```js\nx()\n``` here' };
  expect(readJson(JSON.stringify(value))).toEqual(value);
});

test.each(['', 'I am sorry', '{"a":', '}{', '```json\n{"a"\n```'])('%j has none', (answer) => {
  expect(() => readJson(answer)).toThrow(SyntaxError);
});
