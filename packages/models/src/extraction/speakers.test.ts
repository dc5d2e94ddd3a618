import { describe, expect, test } from 'vitest';
import type { ExtractedFact, ItemRole } from '../ports.ts';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

function extract(content: string, role?: ItemRole): Promise<ExtractedFact[]> {
  return extractor.extract({ content, eventDate: '2023-05-08T13:56:00Z', context: null, ...(role && { role }) });
}

async function read(content: string, role?: ItemRole) {
  return (await extract(content, role)).map(({ text, factType }) => [text, factType]);
}

describe('a turn begins a fact, whatever the line before ends with', () => {
  test.each<[string, string[]]>([
    [
      'user: where should i fly to\nassistant: I booked you a flight to Lisbon. I think Lisbon is best.',
      [
        'user: where should i fly to',
        'assistant: I booked you a flight to Lisbon.',
        'assistant: I think Lisbon is best.',
      ],
    ],
    [
      'Anna: I moved to Rome\nbob: my dog died last week\nanna: my cat is well',
      ['Anna: I moved to Rome', 'bob: my dog died last week (week of 1 May 2023)', 'anna: my cat is well'],
    ],
    [
      'I had to think of two\nthings: the house and\nthe dog.',
      ['I had to think of two\nthings: the house and\nthe dog.'],
    ],
  ])('%j', async (content, expected) => {
    expect((await read(content)).map(([text]) => text)).toEqual(expected);
  });
});

describe('a label before a colon does not speak', () => {
  test('where an item of the assistant has a plan', async () => {
    const facts = await read(
      'Here is the plan.\nFlights: TP123 at 9:00.\nI booked the hotel Avenida for you.',
      'assistant',
    );
    expect(facts).toContainEqual(['I booked the hotel Avenida for you.', 'agent']);
  });

  test('where the assistant speaks by its role', async () => {
    const facts = await read(
      'user: Where to?\nassistant: Done.\nStopover: Madrid.\nI booked the hotel Avenida for you.',
    );
    expect(facts).toContainEqual(['assistant: I booked the hotel Avenida for you.', 'agent']);
  });

  test.each([
    ['- Tuesday: swimming\n\nI moved to Rome in spring. My wife is Carla.', 'My wife is Carla.'],
    ['Age: 34\n\nMy wife is Carla.', 'My wife is Carla.'],
    ['Lisbon: three days\n\nMy wife is Carla.', 'My wife is Carla.'],
    ['Model: iPhone 15\nI paid 900 euros for it.', 'I paid 900 euros for it.'],
  ])('in %j', async (content, expected) => {
    const facts = await extract(content);
    expect(facts.map(({ text, factType }) => [text, factType])).toContainEqual([expected, 'world']);
    expect(facts.flatMap(({ entities }) => entities)).not.toContainEqual(
      expect.objectContaining({ name: content.match(/\p{Lu}\w+/u)?.[0], type: 'PERSON' }),
    );
  });
});

describe('a name before a colon speaks', () => {
  test.each<[string, ItemRole | undefined]>([
    ['Emi: I moved to Rome. My wife is Carla.', undefined],
    ['Anna: I moved to Rome. My wife is Carla.', 'user'],
    ['Emi: Hello.\nFahim: Hello.\nEmi: Where to?\nFahim: I moved to Rome. My wife is Carla.', 'user'],
  ])('in %j of the role %s', async (content, role) => {
    const speaker = content.match(/(\w+): I moved/)?.[1] ?? '';
    const facts = await extract(content, role);
    const last = facts.at(-1);
    expect(last?.text).toBe(`${speaker}: My wife is Carla.`);
    expect(last?.entities).toContainEqual({ name: speaker, type: 'PERSON' });
  });
});

test('code on one line between fences does not make code of what follows', async () => {
  const facts = await read('Run this:\n```ls -la```\nMy sister lives in Rome. I have two cats.');
  expect(facts.map(([text]) => text)).toEqual(expect.arrayContaining(['My sister lives in Rome.', 'I have two cats.']));
});
