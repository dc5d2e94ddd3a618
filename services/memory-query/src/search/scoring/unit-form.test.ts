import { createLexicalEncoder, createRuleExtractor } from '@mneme/models';
import { describe, expect, it, vi } from 'vitest';
import { analyseQuestion } from '../question/question.ts';
import { type Candidate, linkedVisit } from './activation.ts';
import { endsWithQuestion, hasDate, mereReplyTo, timeOfUnits } from './unit-form.ts';

const lexical = createLexicalEncoder();
const extractor = createRuleExtractor();

function candidate(id: string, text: string, eventDate: string): Candidate {
  const none = { context: null, entities: [], tokens: 10, mentions: 1, confidence: null, role: null, metadata: null };
  const unit = { ...none, _id: id, text, documentId: null, factType: 'world' as const, eventDate: new Date(eventDate) };
  return { ...linkedVisit(id), unit };
}

/** As it is stored. */
async function told(id: string, content: string, eventDate: string): Promise<Candidate> {
  const [fact] = await extractor.extract({ content, eventDate, context: null });
  return candidate(id, fact?.text ?? '', fact?.eventDate ?? eventDate);
}

describe('a unit that was told later, beside a remark of the time with the word of the question', () => {
  /** Whether what was told is of another time than the question. */
  async function isElsewhere(remarkedOn: string, content: string, toldOn: string, question: string, askedOn: string) {
    const remark = candidate('remark', 'Ana: I want to try pottery some day.', remarkedOn);
    const units = [remark, await told('answer', content, toldOn)];
    const { ofTime, elsewhere } = await timeOfUnits(units, analyseQuestion(question, askedOn, lexical), lexical);
    expect([...ofTime]).toEqual(['remark']);
    return elsewhere.has('answer');
  }

  it.each(Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2023, month, 20))))(
    'names its month: %o',
    async (date) => {
      const month = date.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
      const later = new Date(Date.UTC(2023, date.getUTCMonth() + 1, 25)).toISOString();
      const content = `Ana: I took a pottery class in ${month}.`;
      const ask = (question: string) => isElsewhere(date.toISOString(), content, later, question, later);
      expect(await ask(`Did I do pottery in ${month}?`)).toBe(false);
      expect(await ask(`Did I do pottery in ${month.toLowerCase()} 2023?`)).toBe(false);
      expect(await ask('Did I do pottery last month?')).toBe(false);
    },
  );

  it.each([
    ['Ana: I took a pottery class in January.', 'Did I do pottery two months ago?', false],
    ['Ana: I took pottery classes two weeks ago and yesterday.', 'Did I do pottery seven weeks ago?', false],
    ['Ana: I took pottery classes on 20 January 2024 and yesterday.', 'Did I do pottery on 2024-01-20?', false],
    ['Ana: I took a pottery class last month.', 'Did I do pottery on 20 January?', true],
    ['Ana: I took a pottery class in December.', 'Did I do pottery two months ago?', true],
    ['Ana: I took a pottery class.', 'Did I do pottery two months ago?', true],
  ])('%s %s', async (content, question, expected) => {
    expect(await isElsewhere('2024-01-20', content, '2024-02-05T10:00:00Z', question, '2024-03-10T12:00:00Z')).toBe(
      expected,
    );
  });

  it('names a month without a year, also May, but not with "May we"', async () => {
    const ask = (text: string) => {
      const units = [candidate('remark', 'Ana: Pottery!', '2023-05-20'), candidate('later', text, '2023-06-05')];
      return timeOfUnits(units, analyseQuestion('Did I do pottery in May?', '2023-06-10', lexical), lexical);
    };
    expect([...(await ask('Pottery class: May.')).elsewhere]).toEqual([]);
    expect([...(await ask('Ana: May I do pottery?')).elsewhere]).toEqual(['later']);
    expect([...(await ask('Ana: I may do pottery.')).elsewhere]).toEqual(['later']);
  });
});

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
