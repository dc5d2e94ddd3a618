import { expect, test } from 'vitest';
import type { Chat } from '../langchain/chat.ts';
import { askText, readJson } from './answers.ts';

test.each([
  ['{"a":1}'],
  ['  {"a":1}\n'],
  ['```json\n{"a":1}\n```'],
  ['```\n{"a":1}```'],
  ['Here you are:\n```JSON\n{"a":1}\n```\nAnything else?'],
  ['Sure! {"a":1} Done.'],
  ['<think>{"a":2} or so? ```no```</think>\n{"a":1}'],
  ['First {"a":2}, or so?\n</think>\n\n{"a":1}'],
  ['Well.</reasoning>{"a":1}'],
])('%j holds the object', (answer) => {
  expect(readJson(answer)).toEqual({ a: 1 });
});

test('a mark of reasoning inside of a value stays', () => {
  const value = { a: 'it ends with </think> here' };
  expect(readJson(JSON.stringify(value))).toEqual(value);
});

test('a code fence inside of a value stays', () => {
  const value = { a: 'use ```js\nx()\n``` here' };
  expect(readJson(JSON.stringify(value))).toEqual(value);
});

test.each(['', 'I am sorry', '{"a":', '}{', '```json\n{"a"\n```'])('%j has none', (answer) => {
  expect(() => readJson(answer)).toThrow(SyntaxError);
});

test.each([
  ['<think>Well.</think>\nRome.', 'Rome.'],
  ['She asks for a city.\n</think>\n\nRome.', 'Rome.'],
  ['Hm.</THINKING>Rome.', 'Rome.'],
  ['Write <think> before and </think> after it.', 'Write <think> before and </think> after it.'],
  ['Rome.', 'Rome.'],
])('of %j only what follows the reasoning is the answer', async (answer, expected) => {
  const chat: Chat = { name: 'test', ask: async () => answer };
  expect(await askText(chat, { system: '', user: '' }, undefined)).toBe(expected);
});
