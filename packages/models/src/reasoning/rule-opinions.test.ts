import { describe, expect, test } from 'vitest';
import type { OpinionRevision } from '../reasoning-ports.ts';
import { neutralAgent, revision } from '../testing/sample-tasks.ts';
import { createRuleOpinions } from './rule-opinions.ts';

const opinions = createRuleOpinions();
const agent = { ...neutralAgent, background: '' };

function form(answer: string, knownOpinions: readonly string[] = []) {
  return opinions.form({ query: 'What do you think?', answer, agent, knownOpinions });
}

describe('forming', () => {
  test.each([
    ['I think that Berlin is a good place for Anna.', 0.6],
    ['I believe that the bridge is safe.', 0.7],
    ['I prefer green tea.', 0.7],
    ['In my opinion, the plan is too slow.', 0.7],
    ['I am convinced that it will rain.', 0.9],
    ['I strongly believe in tests.', 0.9],
    ['I doubt that the train comes.', 0.5],
    ['I think .NET is better than Java.', 0.6],
    ['I think that Ben might be right.', 0.5],
    ['I am not convinced that Rome is safe.', 0.5],
    ["I'm not entirely sure, but I think that Rome is safe.", 0.5],
    ['I think, and I am quite certain, that Rome is safe.', 0.9],
    ['I think that there is no doubt about it.', 0.9],
    ['I think that certain users prefer tea.', 0.7],
    ['I think that we should make sure that Rome is safe.', 0.6],
  ])('%s is held with %d', async (answer, confidence) => {
    expect(await form(answer)).toMatchObject([{ text: answer, confidence }]);
  });

  test.each([
    'Anna lives in Berlin.',
    'Anna thinks that Berlin is loud.',
    'I remember: "I think that dogs are the best."',
    'I am not sure, but I remember: "I think that dogs are the best." (7 May 2023)',
    'I remember: “The shelf is 48" wide. I think that it is too wide.” "I prefer oak."',
    'I remember: «Ben said "a” and “b". I think that it is late.» “I prefer "tea".”',
    'I am not sure, but my opinion so far: "I believe in cats."',
    'My opinion so far: "I believe in cats."',
    'What do I think of that?',
    'I do not know. Nothing that I remember answers this.',
    'You said that I think too much.',
    'Alice thinks I prefer tea.',
    'You wrote:\n> I think Rome is too hot. I prefer trains.',
    '',
  ])('%j holds no new belief', async (answer) => {
    expect(await form(answer)).toEqual([]);
  });

  test('a known opinion is not formed again, and none twice', async () => {
    const answer = 'I think that green tea is better. I prefer trains. I prefer trains! I believe in tests.';
    const formed = await form(answer, ['I think green tea is better.']);
    expect(formed.map(({ text }) => text)).toEqual(['I prefer trains.', 'I believe in tests.']);
  });

  test('a quotation that lacks its closing mark ends before the next one opens', async () => {
    const answer = 'Ben said “I love it" yesterday. I think that Rome is great. Anna said “no”.';
    expect(await form(answer)).toMatchObject([{ text: 'I think that Rome is great.' }]);
  });

  test('an answer that is the background forms no opinion', async () => {
    const background = 'I am a librarian. I prefer trains.';
    const own = { query: 'Who are you?', agent: { ...agent, background }, knownOpinions: [] };
    expect(await opinions.form({ ...own, answer: background })).toEqual([]);
    expect(await opinions.form({ ...own, answer: `${background} I believe in tests.` })).toHaveLength(1);
  });

  test('the opposite of a known opinion is new', async () => {
    expect(await form('I do not think that green tea is better.', ['I think that green tea is better.'])).toHaveLength(
      1,
    );
  });

  test('it names who it is about', async () => {
    const [opinion] = await form('I think that Berlin suits Anna well.');
    expect(opinion?.entities).toEqual([
      { name: 'Berlin', type: 'PLACE' },
      { name: 'Anna', type: 'PERSON' },
    ]);
  });
});

describe('revising', () => {
  const bridge = { text: 'I think that the bridge is safe.', confidence: 0.6 };
  const revise = (facts: readonly string[], opinion = bridge) =>
    opinions.revise({ ...revision, opinion, facts: facts.map((text) => ({ text, eventDate: null })), agent });

  test.each([
    [['Engineers found that the bridge is very safe.'], 'raise', 0.65],
    [['The bridge is not safe.'], 'lower', 0.5],
    [['The bridge is dangerous.'], 'lower', 0.5],
    [['The bridge is no longer safe, it was said.', 'The bridge failed.'], 'lower', 0.4],
    [['The bridge is painted red.'], 'keep', 0.6],
    [['The tunnel is dangerous.'], 'keep', 0.6],
    [['The bridge is safe.', 'The bridge is not safe.'], 'lower', 0.55],
    [[], 'keep', 0.6],
  ] as [string[], OpinionRevision['verdict'], number][])('%j: %s to %d', async (facts, verdict, confidence) => {
    expect(await revise(facts)).toEqual({ verdict, text: bridge.text, confidence });
  });

  test.each([
    ['lower', 'I think the night shift is good work.', 'The night shift is bad work.'],
    ['lower', 'I believe hard work is the best way to success.', 'Hard work is a terrible way to success.'],
    ['lower', 'I think remote work is great.', 'Remote work is terrible.'],
    ['lower', 'I think remote work is great.', 'Remote work is not great.'],
    ['lower', 'I think fast food is great.', 'Fast food is terrible.'],
    ['lower', 'I think electric cars are good and safe.', 'Electric cars are not good, they are expensive.'],
    ['lower', 'I think the plan works.', 'The plan does not work.'],
    ['keep', 'I think remote work is great.', 'Remote work is common.'],
    ['raise', 'I think remote work is great.', 'Remote work is helpful.'],
    ['raise', 'I think the old plan works.', 'The plan works.'],
    ['raise', 'I think the old bridge is safe.', 'The bridge is safe.'],
    ['raise', 'I think the bridge is safe.', 'The bridge is safe but expensive.'],
    ['raise', 'I think Acme is reliable.', 'Acme is reliable but slow.'],
    ['raise', 'I think the exam is hard.', 'The exam is hard but useful.'],
    ['raise', 'I believe the new tool works.', 'The new tool works but is slow.'],
  ])(
    'what both say is no judgement where both judge by something else: %s "%s" by "%s"',
    async (verdict, text, fact) => {
      expect(await revise([fact], { text, confidence: 0.6 })).toMatchObject({ verdict });
    },
  );

  test.each([
    ['keep', 'I think the new plan is safe.', 'user: Is the new plan safe?'],
    ['keep', 'I think the new plan is safe.', 'Tom asked: "Is the new plan really safe?"'],
    ['raise', 'I think the new plan is safe.', 'Is the new plan safe? Tom: Yes.'],
    ['raise', 'I think Berlin is better than Hamburg.', 'Berlin is better than Hamburg.'],
    ['lower', 'I think Berlin is better than Hamburg.', 'Hamburg is better than Berlin.'],
    ['raise', 'I think Berlin is better than Hamburg.', 'Hamburg is worse than Berlin.'],
    ['raise', 'I think Berlin is better than Hamburg.', 'Hamburg is not better than Berlin.'],
    ['lower', 'I prefer tea to coffee.', 'Anna prefers coffee to tea.'],
    ['lower', 'I prefer tea to coffee.', 'Anna prefers coffee over tea.'],
    ['raise', 'I prefer tea to coffee.', 'Anna prefers tea over coffee.'],
    ['keep', 'I think the train from Rome to Berlin is slow.', 'The train from Berlin to Rome is slow.'],
    ['lower', 'I doubt that the old boiler works.', 'The old boiler works.'],
    ['raise', 'I doubt that the old boiler works.', 'The old boiler does not work.'],
    ['raise', 'I have no doubt that the old boiler works.', 'The old boiler works.'],
    ['lower', 'I think the old boiler works.', 'Tom doubts that the old boiler works.'],
    ['lower', 'I am not convinced that Rome is safe.', 'Rome is safe.'],
  ])('questions, exchanged comparisons and doubts: %s "%s" by "%s"', async (verdict, text, fact) => {
    expect(await revise([fact], { text, confidence: 0.6 })).toMatchObject({ verdict });
  });

  test.each([
    ['raise', 'I think that the boiler works.', 'The boiler works beyond doubt.'],
    ['raise', 'I think that the boiler works.', 'The boiler works beyond any reasonable doubt.'],
    ['raise', 'I think that the boiler works.', 'The boiler works beyond a shadow of a doubt.'],
    ['raise', 'I think that the boiler works.', 'There is little doubt that the boiler works.'],
    ['raise', 'I think that the boiler works.', 'There is little room for doubt that the boiler works.'],
    ['raise', 'I think that the boiler works.', 'Few people doubt that the boiler works.'],
    ['raise', 'I think that the boiler works.', 'There is no doubt that the boiler works.'],
    ['raise', 'I think that the boiler works.', 'Without a doubt the boiler works.'],
    ['raise', 'I think that the boiler works.', 'Ana never doubted that the boiler works.'],
    ['raise', 'I think that the boiler works.', 'There is little doubt that the boiler works, but it is loud.'],
    ['keep', 'I think that the boiler works.', 'Ben doubted that the boiler works, but it works.'],
    ['keep', 'I think that the boiler works.', 'Ben doubts that the boiler works, but it does.'],
    ['keep', 'I think that the boiler works.', 'Ben doubted that the boiler works, but he was wrong.'],
    ['keep', 'I think that the boiler works.', 'Ben doubts that the boiler works, yet the boiler works.'],
    ['lower', 'I think that the boiler works.', 'Little Ben doubts that the boiler works.'],
    ['lower', 'I think that the boiler works.', 'Ben doubted that the boiler works, but Anna is in Rome.'],
    ['lower', 'I think that the boiler works.', 'Few friends came, and Tom doubts that the boiler works.'],
    ['lower', 'I think that the boiler works.', 'It is doubtful that the boiler works.'],
    ['lower', 'I think that the boiler works.', 'Ben is unconvinced that the boiler works.'],
    [
      'raise',
      'I think Berlin is better than Hamburg.',
      'Hamburg is cheaper than Berlin, but Berlin is better than Hamburg.',
    ],
    [
      'raise',
      'I think Hamburg is cheaper than Berlin, but Berlin is better than Hamburg.',
      'Hamburg is cheaper than Berlin, but Berlin is better than Hamburg.',
    ],
    [
      'lower',
      'I think Berlin is better than Hamburg.',
      'Hamburg is better than Berlin, but Berlin is cheaper than Hamburg.',
    ],
    [
      'lower',
      'I think Berlin is better than Hamburg.',
      'Hamburg is better than Berlin, and Rome is better than Hamburg.',
    ],
    [
      'keep',
      'I think Berlin is better than Hamburg.',
      'Hamburg is cheaper than Berlin, but Berlin is not better than Hamburg.',
    ],
    ['lower', 'I prefer trains over planes.', 'Planes are better than trains.'],
    ['raise', 'I prefer trains over planes.', 'Trains are better than planes.'],
    ['raise', 'I prefer trains over planes.', 'Planes are worse than trains.'],
    ['lower', 'I prefer trains over planes.', 'Trains are worse than planes.'],
    ['raise', 'I prefer trains over planes.', 'Planes are not better than trains.'],
    ['lower', 'I prefer trains to planes.', 'Planes are much better than trains.'],
    ['lower', 'I think trains are better than planes.', 'Anna prefers planes over trains.'],
    ['raise', 'I think trains are better than planes.', 'Anna prefers trains to planes.'],
    ['raise', 'I think trains are worse than planes.', 'Anna prefers planes over trains.'],
    ['lower', 'I prefer trains over planes.', 'Anna prefers planes rather than trains.'],
    ['raise', 'I prefer trains over planes.', 'Planes are louder than trains.'],
    ['raise', 'I prefer the bridge over the river.', 'The river is larger than the bridge.'],
  ])('certain and answered doubts, repeated comparisons and ranks: %s "%s" by "%s"', async (verdict, text, fact) => {
    expect(await revise([fact], { text, confidence: 0.6 })).toMatchObject({ verdict });
  });

  test.each([
    ['keep', 'I prefer red wine over beer.', 'White wine is worse than beer.'],
    ['keep', 'I prefer green tea over coffee.', 'Black tea is much better than coffee.'],
    ['keep', 'I prefer red wine over beer.', 'Beer is better than red meat.'],
    ['keep', 'I prefer wine over red beer.', 'Wine is better than red meat.'],
    ['keep', 'I think goat cheese is better than butter.', 'Ben prefers cow cheese over butter.'],
    ['lower', 'I prefer red wine over beer.', 'Red wine is much worse than beer.'],
    ['lower', 'I prefer red wine over beer.', 'Beer is better than red wine.'],
    ['raise', 'I think goat cheese is far better than butter.', 'Ben prefers goat cheese over butter.'],
    ['lower', 'As a cook, I prefer gas over induction in winter.', 'Induction is better than gas.'],
    ['lower', 'I think the vaccine works.', 'Ben doubts that the vaccine works, but Anna took the vaccine.'],
    ['lower', 'I think the vaccine works.', 'Doctors doubt that the vaccine works, but sell the vaccine.'],
    ['lower', 'I think the vaccine works.', 'Ben doubts that the vaccine works, but his car works.'],
    ['lower', 'I think the new school is good.', 'Ben doubts that the new school is good, but goes to the new school.'],
    ['lower', 'I think Anna moved to Rome.', 'Ben doubts that Anna moved to Rome, but he lives in Rome.'],
    ['lower', 'I think the shop is closed.', 'Ben doubts that the shop is closed, but he knows the shop.'],
    ['keep', 'I think the vaccine works.', 'Ben doubts that the vaccine works, but the doctor says that it works.'],
    ['keep', 'I think the new school is good.', 'Ben doubts that the new school is good, but the school is good.'],
    ['keep', 'I think remote work helps.', 'Ben doubts that remote work helps, but it helps.'],
    ['keep', 'I think Anna moved to Rome.', 'Ben doubts that Anna moved to Rome, but she moved.'],
    ['keep', 'I think the old pump runs.', 'Ben doubts that the old pump runs, but it still runs.'],
    ['keep', 'I think the shop is closed.', 'Ben doubts that the shop is closed, but it is closed.'],
  ])('ranks of something else, and what does not answer a doubt: %s "%s" by "%s"', async (verdict, text, fact) => {
    expect(await revise([fact], { text, confidence: 0.6 })).toMatchObject({ verdict });
  });

  test('the confidence stays between 0.05 and 0.95', async () => {
    const many = Array.from({ length: 50 }, () => 'The bridge is safe.');
    expect((await revise(many)).confidence).toBe(0.95);
    expect((await revise(many.map(() => 'The bridge is dangerous.'))).confidence).toBe(0.05);
    expect(await revise(many, { ...bridge, confidence: 1 })).toMatchObject({ verdict: 'keep', confidence: 1 });
    expect(
      await revise(
        many.map(() => 'The bridge is dangerous.'),
        { ...bridge, confidence: 0 },
      ),
    ).toMatchObject({ verdict: 'keep', confidence: 0 });
  });

  test('a negated opinion is supported by a negated fact', async () => {
    const opinion = { text: 'I do not think that the bridge is safe.', confidence: 0.6 };
    expect(await revise(['The bridge is not safe.'], opinion)).toMatchObject({ verdict: 'raise' });
    expect(await revise(['The bridge is safe.'], opinion)).toMatchObject({ verdict: 'lower' });
  });
});
