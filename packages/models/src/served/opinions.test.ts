import { beforeAll, describe, expect, test } from 'vitest';
import type { BackgroundWriter, OpinionFormer } from '../reasoning-ports.ts';
import { connectModels } from '../testing/index.ts';
import { neutralAgent, revision } from '../testing/sample-tasks.ts';
import { useModelServer } from '../testing/use-model-server.ts';

const agent = {
  ...neutralAgent,
  personality: { ...neutralAgent.personality, conscientiousness: 0.9, bias_strength: 0.1 },
};

const server = useModelServer();
let opinions: OpinionFormer;
let background: BackgroundWriter;

beforeAll(async () => {
  ({ opinions, background } = await connectModels(server, { EMBEDDING_DIMENSIONS: '8' }));
});

describe('forming', () => {
  function form(found: readonly object[], knownOpinions: readonly string[] = []) {
    server.replies.always('opinions', { json: { opinions: found } });
    return opinions.form({ query: 'What about tea?', answer: 'I think tea is fine.', agent, knownOpinions });
  }
  const tea = { text: 'I think that tea is fine.', confidence: 0.7, entities: [{ name: 'Tea', type: 'PRODUCT' }] };

  test('the model reads the answer, who gave it, and what is known', async () => {
    expect(await form([tea], ['I like rain.'])).toEqual([tea]);
    const prompt = server.requests[0]?.prompt ?? '';
    for (const part of [
      'What about tea?',
      'I think tea is fine.',
      '- I like rain.',
      'I am a librarian.',
      'very thorough',
      'the facts alone decide',
    ])
      expect(prompt).toContain(part);
  });

  test('what is known, blank or said twice is left out', async () => {
    const found = [
      tea,
      { ...tea, text: 'I think tea is fine!' },
      { ...tea, text: ' ' },
      { ...tea, text: 'I like rain.' },
    ];
    expect(await form(found, ['I like rain.'])).toEqual([tea]);
  });

  test('percent and missing entities are understood', async () => {
    expect(await form([{ text: tea.text, confidence: 85 }])).toEqual([
      { text: tea.text, confidence: 0.85, entities: [] },
    ]);
  });

  test('a refusal and what is too long for an opinion are left out', async () => {
    const refusals = ["I can't help with that.", "I'm sorry, but I cannot merge these texts."];
    const others = [...refusals, `I think that tea is ${'very '.repeat(200)}fine.`].map((text) => ({ ...tea, text }));
    expect(await form([...others, tea])).toEqual([tea]);
    expect(server.calls('opinions')).toBe(1);
  });

  test.each([
    [1.05, 1],
    [10, 0.1],
    [100, 1],
  ])('a confidence of %d is %d', async (confidence, expected) => {
    expect(await form([{ ...tea, confidence }])).toMatchObject([{ confidence: expected }]);
  });

  test.each([1.5, 8, 101])('a confidence of %d is sent back', async (confidence) => {
    await expect(form([{ ...tea, confidence }])).rejects.toMatchObject({ code: 'invalid-output' });
    expect(server.calls('opinions')).toBe(2);
  });

  test('there is a limit to new opinions', async () => {
    const found = Array.from({ length: 50 }, (_, i) => ({
      ...tea,
      text: `I prefer tea of kind ${i} and number ${i * 7}.`,
    }));
    expect(await form(found)).toHaveLength(10);
  });
});

describe('revising', () => {
  const opinion = { text: 'I think that tea is fine.', confidence: 0.6 };
  test.each([
    [
      { verdict: 'raise', text: opinion.text, confidence: 0.8 },
      { verdict: 'raise', text: opinion.text, confidence: 0.8 },
    ],
    [
      { verdict: 'lower', text: 'changed', confidence: 0.4 },
      { verdict: 'lower', text: opinion.text, confidence: 0.4 },
    ],
    [
      { verdict: 'rewrite', text: 'I think that tea is bad.', confidence: 0.7, entities: [] },
      { verdict: 'rewrite', text: 'I think that tea is bad.', confidence: 0.7, entities: [] },
    ],
    [
      {
        verdict: 'rewrite',
        text: 'I think that Anna sells bad tea.',
        confidence: 0.7,
        entities: [{ name: ' tea ', type: 'concept' }],
      },
      {
        verdict: 'rewrite',
        text: 'I think that Anna sells bad tea.',
        confidence: 0.7,
        entities: [{ name: 'tea', type: 'CONCEPT' }],
      },
    ],
    [
      { verdict: 'rewrite', text: 'I think that Anna sells bad tea.', confidence: 0.7 },
      {
        verdict: 'rewrite',
        text: 'I think that Anna sells bad tea.',
        confidence: 0.7,
        entities: [{ name: 'Anna', type: 'PERSON' }],
      },
    ],
    [
      { verdict: 'KEEP', text: 'changed', confidence: 0.9 },
      { verdict: 'keep', ...opinion },
    ],
    [
      { verdict: 'raise', text: opinion.text, confidence: 0.5 },
      { verdict: 'keep', ...opinion },
    ],
    [
      { verdict: 'lower', text: opinion.text, confidence: 0.6 },
      { verdict: 'keep', ...opinion },
    ],
    [
      { verdict: 'rewrite', text: opinion.text, confidence: 0.3 },
      { verdict: 'lower', text: opinion.text, confidence: 0.3 },
    ],
    [
      { verdict: 'rewrite', text: ' ', confidence: 0.6 },
      { verdict: 'keep', ...opinion },
    ],
    [
      { verdict: 'lower', text: "I can't help with that.", confidence: 0 },
      { verdict: 'keep', ...opinion },
    ],
  ])('%j becomes %j', async (answer, expected) => {
    server.replies.always('revise', { json: answer });
    expect(await opinions.revise({ ...revision, opinion })).toEqual(expected);
  });

  test.each([
    ['a refusal', "I'm sorry, but I can't assist with that request."],
    ['a text of many sentences', 'I think that tea is fine. '.repeat(100)],
  ])('%s cannot become the opinion', async (_, text) => {
    server.replies.always('revise', { json: { verdict: 'rewrite', text, confidence: 0.9 } });
    const revised = opinions.revise({ ...revision, opinion });
    await expect(revised).rejects.toMatchObject({ code: 'invalid-output' });
    expect(server.calls('revise')).toBe(2);
  });

  test('the model sees the opinion, the facts, and when each of them was', async () => {
    const facts = [
      { text: 'Tea is good.', eventDate: '2015-03-01T10:00:00.000Z' },
      { text: 'Tea is hot.', eventDate: null },
    ];
    await opinions.revise({ ...revision, opinion, facts });
    await opinions.revise({ ...revision, opinion, facts, factsUntil: null });
    const [first = '', second = ''] = server.requests.map(({ prompt }) => prompt);
    expect(first).toContain('Now: 2023-06-01T08:00:00Z');
    const held = 'held with confidence 0.60';
    expect(first).toContain(`formed on 2023-01-10, revised since then for facts up to 2023-02-10, ${held}`);
    expect(first).toContain('- [2015-03-01] Tea is good.\n- Tea is hot.');
    expect(second).toContain(`The opinion, formed on 2023-01-10, ${held}`);
  });
});

describe('the background', () => {
  test.each([
    ['{"background":"I am kind."}'],
    ['{"background":"  I am kind.\\n"}'],
    ['```json\n{"background":"I am kind."}\n```'],
    ['<think>The user is kind.</think>\n\n{"background":"I am kind."}'],
  ])('%j', async (answer) => {
    server.replies.always('background', answer);
    expect(await background.merge({ current: 'I am old.', addition: 'You are kind.' })).toBe('I am kind.');
    expect(server.requests[0]?.prompt).toMatch(/<current-\w{8}>\nI am old.\n<\/current-/);
    expect(server.requests[0]?.prompt).toMatch(/<new-\w{8}>\nYou are kind.\n<\/new-/);
  });

  test.each([
    ['thoughts alone', '<think>Well.</think>', 'invalid-output'],
    ['nothing', '{"background":" "}', 'invalid-output'],
    ['a refusal', "I'm sorry, but I can't help with that.", 'refused'],
    ['a refusal in the form', `{"background":"I'm sorry, but I can't help with that."}`, 'invalid-output'],
    [
      'an apology in the form',
      `{"background":"I'm sorry, but I cannot take sides between these two."}`,
      'invalid-output',
    ],
    ['any apology in the form', `{"background":"I'm sorry, but I can't see the point of this."}`, 'invalid-output'],
    ['a short refusal in the form', `{"background":"I'm not able to assist with that request."}`, 'invalid-output'],
  ])('%s cannot become the background', async (_, answer, code) => {
    server.replies.always('background', answer);
    await expect(background.merge({ current: '', addition: 'x' })).rejects.toMatchObject({ code });
    expect(server.calls('background')).toBe(2);
  });

  const traits = { openness: 0.5, conscientiousness: 0.5, extraversion: 0.5, agreeableness: 0.5, neuroticism: 0.5 };

  test('a background may say with what the agent does not help', async () => {
    const text = 'I cannot help with legal questions; I am a travel agent.';
    server.replies.always('background', { json: { background: text } });
    expect(await background.merge({ current: '', addition: 'x' })).toBe(text);
  });

  test('traits in percent are understood', async () => {
    const percent = { openness: 5, conscientiousness: 0, extraversion: 1, agreeableness: 100, neuroticism: 60 };
    server.replies.next('traits', { json: percent });
    const shares = { openness: 0.05, conscientiousness: 0, extraversion: 0.01, agreeableness: 1, neuroticism: 0.6 };
    expect(await background.inferTraits('I am kind.')).toEqual(shares);
  });

  test.each([-3, 1.2, 5])('traits out of bounds are sent back: %d', async (openness) => {
    server.replies.next('traits', { json: { ...traits, openness } }, { json: traits });
    expect(await background.inferTraits('I am kind.')).toEqual(traits);
    expect(server.requests[1]?.prompt).toContain('openness');
  });
});
