import { createLexicalEncoder } from '@mneme/models';
import { expect, it, vi } from 'vitest';
import { analyseQuestion } from '../question/question.ts';
import { type Candidate, linkedVisit } from './activation.ts';
import { endsWithQuestion, hasDate, mereReplyTo, timeOfUnits } from './unit-form.ts';

const lexical = createLexicalEncoder();

function candidate(id: string, text: string, eventDate: string): Candidate {
  const none = { context: null, entities: [], tokens: 10, mentions: 1, confidence: null, role: null, metadata: null };
  const unit = { ...none, _id: id, text, documentId: null, factType: 'world' as const, eventDate: new Date(eventDate) };
  return { ...linkedVisit(id), unit };
}

it('reads each unit of a time once, and lets other work run meanwhile', async () => {
  const text = 'Ana: We went to the market and talked about the weather. '.repeat(14);
  const units = Array.from({ length: 3_000 }, (_, index) => candidate(`${index}`, text, '2023-05-20'));
  const question = analyseQuestion('What did Ana do in May 2023?', '2023-06-10', lexical);
  const sequence = vi.fn(lexical.sequence);
  const otherWork = vi.fn();
  setImmediate(otherWork);
  const { within, ofTime } = await timeOfUnits(units, question, { ...lexical, sequence });
  expect(otherWork).toHaveBeenCalled();
  expect(sequence.mock.calls.filter(([read]) => read.startsWith('Ana: We went'))).toHaveLength(units.length);
  expect([within.size, ofTime.size]).toEqual([units.length, units.length]);
});

it.each([
  ['Jody: Yes!', true],
  ['Jody: I see, cool', true],
  ['Jody: 😀', true],
  ['Jody: No, Kyoto.', false],
  ['Jody: 40', false],
  ['Jody: I live there.', false],
  ['Jody: In Nice.', false],
  ['Living in Japan: yes', false],
  ['Yes', false],
])('tells whether %j is nothing but a reply', (text, isReply) => {
  const question = analyseQuestion('Does Jody live in Japan?', '2026-01-01', lexical);
  expect(mereReplyTo(question, lexical)(text)).toBe(isReply);
});

it.each([
  ['Where are you?', true],
  ['Where are you? ', true],
  ['Alice: How was it yesterday (7 May 2023)?', true],
  ['Alice: Look at this? [shared image: a cat]', true],
  ['Did you go? (8 May 2023)', true],
  ['Did you go? I did.', false],
  ['No.', false],
])('tells whether %j ends with a question', (text, isQuestion) => {
  expect(endsWithQuestion(text)).toBe(isQuestion);
});

it.each([
  ['I went yesterday (7 May 2023).', true],
  ['I moved last spring (spring 2026).', true],
  ['That was ten years ago (2013).', true],
  ['I (Maybe) went.', false],
  ['Room (101) is free.', false],
])('tells whether %j contains a resolved date', (text, isDated) => {
  expect(hasDate(text)).toBe(isDated);
});
