import { createLexicalEncoder, type SparseVector } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import type { Hit, VectorHits } from '../vectors/vector-index.ts';
import { analyseQuestion } from './question/question.ts';
import { activate, type Candidate, diversify, planVisits, spreadOverLinks } from './scoring/activation.ts';
import { rerank } from './scoring/rerank.ts';
import { timeOfUnits } from './scoring/unit-form.ts';
import type { SearchPart } from './search-settings.ts';

const lexical = createLexicalEncoder();
const calibration = { unrelated: 0.2, strong: 0.5, link: 0.7, weight: 1.2 };
const day = new Date('2023-05-08T00:00:00Z');
const all = new Set<SearchPart>();

interface TestUnit {
  readonly place: Omit<Hit, 'score'>;
  readonly unit: Candidate['unit'];
  readonly cosine: number;
}

/** A document whose units stand in the order of the texts, each a passage of its own; ids are `<document><place>`. */
function document(name: string, ...texts: string[]): TestUnit[] {
  return texts.map((text, fact) => ({
    place: {
      id: `${name}${fact}`,
      operationId: name,
      fact,
      passage: { first: fact, last: fact },
      documentKey: name,
      turn: 1,
      isAppended: false,
      hasQuestion: text.includes('?'),
    },
    cosine: 0,
    unit: {
      _id: `${name}${fact}`,
      text,
      documentId: name,
      factType: 'world',
      context: null,
      eventDate: day,
      entities: [],
      tokens: 10,
      mentions: 1,
      confidence: null,
      role: null,
      metadata: null,
    },
  }));
}

/** One document that is one passage. */
function passage(name: string, ...texts: string[]): TestUnit[] {
  return document(name, ...texts).map((each) => {
    return { ...each, place: { ...each.place, passage: { first: 0, last: texts.length - 1 } } };
  });
}

const changed = (units: TestUnit[], change: Partial<Candidate['unit']>): TestUnit[] =>
  units.map((each) => ({ ...each, unit: { ...each.unit, ...change } }));

/** What the index would return if all words were equally rare. */
function hitsOf(
  query: string,
  units: readonly TestUnit[],
  passages: readonly (readonly TestUnit[])[] = [],
): VectorHits {
  const asked = lexical.query(query);
  const found = units.map(({ place, unit }) => ({ ...place, score: product(asked, lexical.document(unit.text)) }));
  const whole = passages.map((members) => {
    const text = members.map(({ unit }) => unit.text).join('\n');
    return { ...(members[0] as TestUnit).place, score: product(asked, lexical.document(text)) };
  });
  return {
    words: found.filter(({ score }) => score > 0),
    dense: units.filter(({ cosine }) => cosine > 0).map(({ place, cosine }) => ({ ...place, score: cosine })),
    passages: whole.filter(({ score }) => score > 0),
    window: [],
  };
}

function product(query: SparseVector, document: SparseVector): number {
  const weights = new Map(document.indices.map((id, index) => [id, document.values[index] ?? 0]));
  return query.indices.reduce((sum, id) => sum + (weights.get(id) ?? 0), 0) / (query.indices.length || 1);
}

async function rank(query: string, units: readonly TestUnit[], without = all) {
  const question = analyseQuestion(query, day.toISOString(), lexical);
  const byId = new Map(units.map(({ unit }) => [unit._id, unit]));
  const visits = activate(hitsOf(query, units), { calibration, without });
  const candidates = visits.flatMap((visit) => {
    const unit = byId.get(visit.id);
    return unit ? [{ ...visit, unit }] : [];
  });
  return rerank(candidates, { question, lexical, without, time: await timeOfUnits(candidates, question, lexical) });
}

const first = async (query: string, units: readonly TestUnit[]) => (await rank(query, units))[0]?.unit.text;
const activationOf = (hits: VectorHits, id: string, without = all) =>
  activate(hits, { calibration, without }).find((visit) => visit.id === id)?.activation;

describe('activation', () => {
  it('spreads to the line after a question and to the one before, also if no method found it', () => {
    const units = document('a', 'Bob: Hello.', 'Bob: Which instrument?', 'Ann: In the evening, the cello.');
    const visits = activate(hitsOf('instrument', units), { calibration, without: all });
    const reached = new Map(visits.map(({ id, by, activation }) => [id, { by, ...activation }]));
    expect(reached.get('a1')).toMatchObject({ by: 'entry', neighbours: 0 });
    expect(reached.get(unitId('a', 2))).toMatchObject({ by: 'neighbour', own: 0 });
    const after = reached.get(unitId('a', 2))?.neighbours ?? 0;
    expect(after).toBeGreaterThan(reached.get(unitId('a', 0))?.neighbours ?? 0);
    expect(reached.get(unitId('a', 0))?.neighbours).toBeGreaterThan(0);
    expect([...reached.keys()]).not.toContain(unitId('a', -1));
  });

  it('does not reach beyond a document, or the units of no document', () => {
    const alone = document('b', 'The cello is old.').map((each) => {
      return { ...each, place: { ...each.place, documentKey: null } };
    });
    expect(activate(hitsOf('cello', alone), { calibration, without: all })).toHaveLength(1);
  });

  it('counts the words of a passage together, wherever they are', () => {
    const seats = passage('a', 'We took the railway.', 'The best seats are on the right.');
    const trains = document('b', 'The railway is old.', 'So is the railway.');
    const hits = hitsOf('best seats on the railway', [...seats, ...trains], [seats]);
    expect(activationOf(hits, 'a1')?.passage).toBeCloseTo(1, 1);
    expect(activationOf(hits, 'b0')?.passage).toBeLessThan(0.5);
    expect(activationOf(hits, 'a1', new Set(['passages']))?.passage).toBeLessThan(0.8);
  });

  it('gives all of a document a share of its best passages', () => {
    const units = document('a', 'The cello is old.', 'Rain.', 'Snow.', 'A cello.');
    const hits = hitsOf('cello snow', units);
    expect(activationOf(hits, 'a2')?.document).toBeGreaterThan(0);
    expect(activationOf(hits, 'a2', new Set(['documents']))?.document).toBe(0);
    expect(activationOf(hitsOf('cello', document('b', 'The cello.')), 'b0')?.document).toBe(0);
  });

  it('counts meaning from the cosine of unrelated texts on', () => {
    const similar = (cosine: number) => document('a', 'Strings.').map((each) => ({ ...each, cosine }));
    expect(activationOf(hitsOf('cello', similar(0.2)), 'a0')?.own).toBe(0);
    expect(activationOf(hitsOf('cello', similar(0.6)), 'a0')?.own).toBeGreaterThan(0);
    expect(activationOf(hitsOf('cello', similar(0.6)), 'a0', new Set(['meaning']))).toBeUndefined();
  });

  it('spreads over links, in proportion to their weight', () => {
    const units = [...document('a', 'The cello is old.'), ...document('b', 'Old strings.'), ...document('c', 'Old.')];
    const visits = activate(hitsOf('old cello', units), { calibration, without: all });
    const links = [{ type: 'semantic' as const, from: 'a0', to: 'b0', weight: 0.8 }];
    const linked = new Map(spreadOverLinks(visits, links).map(({ id, activation }) => [id, activation.links]));
    expect(linked.get('b0')).toBeGreaterThan(0);
    expect(linked.get('b0')).toBeLessThan(visits.find(({ id }) => id === 'a0')?.activation.own ?? 0);
    expect(linked.get('c0')).toBe(0);
  });
});

describe('the plan of visits', () => {
  const repeated = passage('a', 'Cello, cello, cello.', 'The cello, a cello.', 'A cello.');
  const units = [...repeated, ...document('b', 'The cello, a cello.')];
  const planned = (budget: number, without = all) =>
    planVisits(activate(hitsOf('cello', units), { calibration, without }), budget, { without }).map(({ id }) => id);

  it('takes the best, but not all from one passage', () => {
    expect(planned(2)).toEqual(['a0', 'b0']);
    expect(planned(2, new Set(['diversity']))).toEqual(['a0', 'a1']);
  });

  it('takes units first that come before all others', () => {
    const visits = activate(hitsOf('cello', units), { calibration, without: all });
    const first = (id: string) => id === 'a2';
    expect(planVisits(visits, 2, { without: all, first }).map(({ id }) => id)).toEqual(['a2', 'a0']);
  });

  it('is the same each time, and no longer than the budget', () => {
    expect(planned(3)).toHaveLength(3);
    expect(planned(100)).toEqual(planned(100));
  });
});

describe('the heuristic reranker', () => {
  it('prefers what the named person says', async () => {
    const units = [...document('a', 'Bob: My cat is called Miso.'), ...document('b', 'Ann: My cat is called Miso.')];
    expect(await first("What is Ann's cat called?", units)).toMatch(/^Ann/);
    expect(await first("What is Bob's cat called?", units)).toMatch(/^Bob/);
  });

  it('prefers what the user says, if the question is asked in the first person', async () => {
    const units = [...document('a', 'assistant: I like tea.'), ...document('b', 'user: I like tea.')];
    expect(await first('Which tea do I like?', units)).toMatch(/^user/);
    expect((await rank('Who likes tea?', units))[0]?.parts).not.toHaveProperty('named_speaker');
  });

  it('ignores names when all speakers are named', async () => {
    const units = [...document('a', 'Bob: We like tea.'), ...document('b', 'Ann: We like tea.')];
    const [one, two] = await rank('Do Ann and Bob like tea?', units);
    expect(one?.parts).not.toHaveProperty('named_speaker');
    expect(two?.parts).not.toHaveProperty('named_speaker');
  });

  it('prefers an answer to a question', async () => {
    const units = [...document('a', 'Do we have a cat?'), ...document('b', 'We have a cat.')];
    expect(await first('Which cat do we have?', units)).toBe('We have a cat.');
  });

  it('prefers a date for a question that asks when', async () => {
    const units = [...document('a', 'I moved house.'), ...document('b', 'I moved house last year (2022).')];
    expect(await first('When did you move house?', units)).toMatch('2022');
  });

  describe('asked for what is so now', () => {
    const at = (time: string, text: string, cosine = 0) =>
      changed(document(`${time} ${text}`, text), { eventDate: new Date(time) }).map((each) => ({ ...each, cosine }));
    const older = at('2023-03-10', 'Nadia weighs 71 kg.', 0.26);
    const newest = at('2023-05-08T10:00:00Z', 'Nadia weighs 66 kg.', 0.25);
    const weights = [...older, ...at('2023-04-12', 'Nadia weighs 68 kg.', 0.25), ...newest];
    const poor = at('2023-05-08', 'The cat weighs 4 kg.');

    it.each([
      'How much does Nadia weigh now?',
      'How much does Nadia now weigh?',
      'How much does Nadia currently weigh?',
    ])('prefers the newest of what answers about equally well: %s', async (question) => {
      const [one, two, three, last] = await rank(question, [...weights, ...poor]);
      expect([one, two, three].map((each) => each?.unit.text)).toEqual(
        ['66', '68', '71'].map((weight) => `Nadia weighs ${weight} kg.`),
      );
      expect(last?.parts).not.toHaveProperty('latest');
    });

    it('prefers none for another question', async () => {
      expect(await first('How much does Nadia weigh?', [...weights, ...poor])).toBe('Nadia weighs 71 kg.');
    });

    it('does not put what names a day to come behind what is older', async () => {
      const orders = [...at('2023-04-09', 'The order is ten plates.'), ...at('2023-06-16', 'The order is six cups.')];
      expect(await first('What is the latest order?', orders)).toBe('The order is six cups.');
    });
  });

  describe('asked about a time that is over', () => {
    const at = (time: string, text: string) =>
      changed(document(time, text), { eventDate: new Date(time) }).map((each) => ({ ...each, cosine: 0.3 }));
    const namesIt = at('2023-05-08', 'On 7 May, Eve was discharged.');
    const before = at('2023-05-02', 'Ben was discharged.');
    const partsOf = async (question: string, units: readonly TestUnit[], text: string) =>
      (await rank(question, units)).find(({ unit }) => unit.text === text)?.parts;

    it('puts what is of another time behind, if something of the time has the word of the question', async () => {
      const units = [...before, ...at('2023-05-07', 'Ann was discharged.'), ...namesIt];
      const ranked = await rank('Who was discharged on 7 May?', units);
      expect(ranked[0]?.unit.text).toBe('Ann was discharged.');
      expect(ranked.map(({ parts }) => parts.other_time)).toEqual([undefined, undefined, 0.5]);
    });

    it('prefers what is of the time in other words, and leaves the rest as it is', async () => {
      const units = [...before, ...at('2023-05-07', 'Ann went home.')];
      expect(await partsOf('Who was discharged on 7 May?', units, 'Ann went home.')).toMatchObject({ time: 0.5 });
      expect(await partsOf('Who was discharged on 7 May?', units, 'Ben was discharged.')).not.toHaveProperty(
        'other_time',
      );
    });

    it('leaves what holds on that day, whenever it was said, and what names the month', async () => {
      const fish = [...at('2023-01-02', 'We eat fish every Friday.'), ...at('2023-05-05', 'We eat at home.')];
      expect(await partsOf('What do we eat on Friday?', fish, 'We eat fish every Friday.')).not.toHaveProperty(
        'other_time',
      );
      const march = [...at('2023-04-04', 'Ben was discharged in March.'), ...at('2023-03-09', 'Ann was discharged.')];
      const parts = await partsOf('Who was discharged in March?', march, 'Ben was discharged in March.');
      expect(parts).not.toHaveProperty('other_time');
    });
  });

  it('prefers a long unit in which words follow each other as in the question', async () => {
    const rest = 'The experiments were made with several models at different speeds and angles. '.repeat(10);
    const apart = document('a', `The heat was high. ${rest}The transfer of the models was slow.`);
    const together = document('b', `The speed was high. ${rest}The heat transfer was slow.`);
    expect((await rank('heat transfer', [...apart, ...together])).map(({ unit }) => unit._id)).toEqual(['b0', 'a0']);
    expect((await rank('heat transfer', [...apart, ...together], new Set(['pairs'])))[0]?.parts).not.toHaveProperty(
      'pairs',
    );
    // Only the best are read.
    const many = Array.from({ length: 200 }, (_, index) => document(`d${index}`, 'Heat.')).flat();
    const last = (await rank('heat transfer', [...many, ...together])).find(({ unit }) => unit._id === 'b0');
    expect(last?.parts).not.toHaveProperty('pairs');
    const short = document('c', 'The heat transfer was slow.');
    expect((await rank('heat transfer', short))[0]?.parts).not.toHaveProperty('pairs');
  });

  it('prefers units within the time that the question names', async () => {
    const old = changed(document('a', 'I sold a boat.'), { eventDate: new Date('2020-01-01') });
    const units = [...document('b', 'I sold a boat.'), ...old];
    expect((await rank('Which boat was it in January 2020?', units))[0]?.unit._id).toBe('a0');
  });

  it('prefers facts that were stored more often', async () => {
    const often = changed(document('b', 'Tea is green.'), { mentions: 3 });
    expect((await rank('tea', [...document('a', 'Tea is green.'), ...often]))[0]?.unit._id).toBe('b0');
  });

  it('shows the parts of each score, between 0 and 1', async () => {
    const [best] = await rank('tea', document('a', 'Tea is green.'));
    expect(best?.score).toBeGreaterThan(0);
    expect(best?.score).toBeLessThan(1);
    expect(best?.parts).toMatchObject({ own: expect.any(Number), neighbours: 0, recency: expect.any(Number) });
  });
});

it('chooses the same best items whether it sorts all of them or only as many as are wanted', () => {
  const random = (seed: number) => ((seed * 9_301 + 49_297) % 233_280) / 233_280;
  for (let round = 0; round < 40; round += 1) {
    const items = Array.from({ length: 60 }, (_, index) => ({
      id: String(index),
      passage: String(Math.floor(random(round * 100 + index) * 12)),
      score: Math.round(random(round * 77 + index * 13) * 20),
    }));
    for (const most of [1, 5, 11, 30, 60])
      expect(diversify(items, 0.7, most)).toEqual(diversify(items, 0.7).slice(0, most));
  }
});
