import { createLexicalEncoder } from '@mneme/models';
import { describe, expect, it } from 'vitest';
import { activate, type SpreadingLink } from './activation.ts';
import { candidateOf, type FoundUnit } from './candidates.ts';
import { resultLimit } from './floor.ts';
import { analyseQuestion, type Question } from './question.ts';
import { rerank } from './rerank.ts';
import { settingsFor } from './search-settings.ts';

const lexical = createLexicalEncoder();
const settings = settingsFor('mneme-hash-512-v1');
const day = new Date('2023-05-08T00:00:00Z');

/** A document whose units stand in the order of the texts; ids are `<document><place>`. */
function document(name: string, ...texts: string[]): FoundUnit[] {
  return texts.map((text, fact) => ({
    _id: `${name}${fact}`,
    text,
    fact,
    operationId: name,
    documentId: name,
    documentKey: name,
    factType: 'world',
    context: null,
    eventDate: day,
    entities: [],
    tokens: 10,
    mentions: 1,
    confidence: null,
    source: null,
  }));
}

function rank(query: string, units: readonly FoundUnit[]) {
  const { question, activated } = activation(query, units);
  return rerank(activated, { question, settings });
}

/** As if all words were equally rare. */
function activation(query: string, units: readonly FoundUnit[], links: readonly SpreadingLink[] = []) {
  const question: Question = analyseQuestion(query, day.toISOString(), lexical);
  const weights = new Map(question.terms.map(({ id }) => [id, { idf: 1, rarity: 1 }]));
  const candidates = units.map((unit) => candidateOf(unit, 0, lexical));
  return { question, weights, activated: activate(candidates, { question, weights, links, settings }) };
}

const first = (query: string, units: readonly FoundUnit[]) => rank(query, units)[0]?.unit.text;

describe('activation', () => {
  it('spreads to an answer without a word in common with the question, from the line before it', () => {
    const units = [
      ...document('a', 'Bob: Which instrument do you play?', 'Ann: The cello, every evening.'),
      ...document('b', 'Bob: I saw a film.', 'Ann: It was long.'),
    ];
    const ranked = rank('What instrument?', units).map(({ unit }) => unit._id);
    expect(ranked.slice(0, 2).sort()).toEqual(['a0', 'a1']);
    expect(ranked).not.toContain('b0');
  });

  it('counts the words of a passage together, wherever they occur in it', () => {
    const units = [
      ...document('a', 'We took the railway.', 'It rained.', 'The best seats are on the right.', 'We ate.'),
      ...document('b', 'The railway is old.', 'So is the railway.', 'We like the railway.', 'We ate.'),
    ];
    const { activated } = activation('best seats on the railway', units);
    const passage = (id: string) => activated.find(({ unit }) => unit._id === id)?.activation;
    expect(passage('a1')?.passageMatch).toBeCloseTo(1);
    expect(passage('b1')?.passageMatch).toBeCloseTo(1 / 3);
    expect(passage('a1')?.passage).toBeGreaterThan(passage('b1')?.passage ?? 1);
  });

  it('does not count distant words, or words of units without a document', () => {
    const far = document('a', 'The railway.', ...Array<string>(11).fill('Rain.'), 'The seats.');
    const { activated } = activation('seats railway', far);
    expect(Math.max(...activated.map((each) => each.activation.passageMatch))).toBeCloseTo(0.5);
    const apart = document('b', 'The railway.', 'The seats.').map((unit) => ({ ...unit, documentId: null }));
    const [railway] = activation('seats railway', apart).activated;
    expect(railway?.activation.passageMatch).toBeCloseTo(0.5);
  });

  it('does not spread from one document to another', () => {
    const units = [...document('a', 'The cello is old.'), ...document('b', 'Nothing of that.')];
    expect(rank('cello', units).map(({ unit }) => unit._id)).toEqual(['a0']);
  });

  it('spreads over links, in proportion to their weight', () => {
    const units = [
      ...document('a', 'The cello is old.'),
      ...document('b', 'Its strings are new.'),
      ...document('c', 'Rain.'),
    ];
    const links = [{ type: 'semantic' as const, from: 'a0', to: 'b0', weight: 0.8 }];
    const [cello, strings, rain] = activation('cello', units, links).activated;
    expect(strings?.activation.links).toBeGreaterThan(0);
    expect(strings?.activation.links).toBeLessThan(cello?.activation.own ?? 0);
    expect(rain?.activation.links).toBe(0);
  });

  it('is 0 for a unit that is unrelated to the question', () => {
    const { activated } = activation('cello', document('a', 'Milk is white.'));
    expect(activated[0]?.activation).toEqual({
      match: 0,
      own: 0,
      spread: 0,
      document: 0,
      links: 0,
      window: 0,
      passageMatch: 0,
      passage: 0,
    });
  });
});

describe('the heuristic reranker', () => {
  it('prefers what the named person says', () => {
    const units = [...document('a', 'Bob: My cat is called Miso.'), ...document('b', 'Ann: My cat is called Miso.')];
    expect(first("What is Ann's cat called?", units)).toMatch(/^Ann/);
    expect(first("What is Bob's cat called?", units)).toMatch(/^Bob/);
  });

  it('ignores names when all speakers are named', () => {
    const units = [...document('a', 'Bob: We like tea.'), ...document('b', 'Ann: We like tea.')];
    const [one, two] = rank('Do Ann and Bob like tea?', units);
    expect(one?.parts).not.toHaveProperty('named_speaker');
    expect(two?.parts).not.toHaveProperty('named_speaker');
  });

  it('prefers an answer to a question', () => {
    const units = [...document('a', 'Do we have a cat?'), ...document('b', 'We have a cat.')];
    expect(first('Which cat do we have?', units)).toBe('We have a cat.');
  });

  it('prefers a date for a question that asks when', () => {
    const units = [...document('a', 'I moved house.'), ...document('b', 'I moved house last year (2022).')];
    expect(first('When did you move house?', units)).toMatch('2022');
  });

  it('prefers units within the time that the question names', () => {
    const old: FoundUnit[] = document('a', 'I sold a boat.').map((unit) => ({
      ...unit,
      eventDate: new Date('2020-01-01'),
    }));
    const units = [...document('b', 'I sold a boat.'), ...old];
    expect(rank('Which boat was it in January 2020?', units)[0]?.unit._id).toBe('a0');
  });

  it('prefers facts that were stored more often', () => {
    const often: FoundUnit[] = document('b', 'Tea is green.').map((unit) => ({ ...unit, mentions: 3 }));
    expect(rank('tea', [...document('a', 'Tea is green.'), ...often])[0]?.unit._id).toBe('b0');
  });

  it('shows the parts of each score, between 0 and 1', () => {
    const [best] = rank('tea', document('a', 'Tea is green.'));
    expect(best?.score).toBeGreaterThan(0);
    expect(best?.score).toBeLessThan(1);
    expect(best?.parts).toMatchObject({ own: expect.any(Number), spread: 0, recency: expect.any(Number) });
  });
});

describe('the floor', () => {
  const units = document('a', 'The cello is old and made of wood.');

  it('returns nothing for a question that has hardly a word in common with anything', () => {
    const { activated, ...context } = activation('Which gearbox oil does the old tractor in the shed need?', units);
    expect(resultLimit(activated, { ...context, settings })).toBe(0);
  });

  it('sets no limit for a question whose words are found', () => {
    const { activated, ...context } = activation('How old is the cello?', units);
    expect(resultLimit(activated, { ...context, settings })).toBe(Number.POSITIVE_INFINITY);
  });

  it('returns some results for a question of which a passage has some words', () => {
    const notes = document('b', ...Array<string>(20).fill('The lid of the pot is heavy.'), 'The cover keeps it warm.');
    const { activated, ...context } = activation('Which heavy oven cover protects ceramic loaves?', notes);
    const limit = resultLimit(activated, { ...context, settings });
    expect(limit).toBeGreaterThan(0);
    expect(limit).toBeLessThan(10);
  });

  it('returns some results for a question of several words of which a unit has one by chance', () => {
    const { activated, question } = activation(
      'When does the submarine surface?',
      document('a', 'The surface is wet.'),
    );
    const [submarine, surface] = question.terms.map(({ id }) => id);
    const weights = new Map([submarine, surface].map((id, index) => [id ?? 0, { idf: 1, rarity: 1 - index / 9 }]));
    const context = { question, weights, settings, links: [] };
    const limit = resultLimit(activate(activated, context), context);
    expect(limit).toBeGreaterThan(0);
    expect(limit).toBeLessThan(10);
  });

  it('returns results for a rare name, unless it is the name of a speaker', () => {
    const question = 'Which fragile violins, trombones, harps, drums and flutes did Emil repair?';
    const limitFor = (text: string) => {
      const { activated, ...context } = activation(question, document('a', text));
      return resultLimit(activated, { ...context, settings });
    };
    expect(limitFor('Emil is ill.')).toBeGreaterThan(0);
    expect(limitFor('Emil: It rains.')).toBe(0);
    expect(limitFor('Nobody is ill.')).toBe(0);
  });

  it('relies on similar meaning if no word is in common', () => {
    const { activated, ...context } = activation('violoncello', units);
    const alike = activated.map((each) => ({ ...each, similarity: 0.7 }));
    expect(resultLimit(alike, { ...context, settings })).toBe(Number.POSITIVE_INFINITY);
  });

  it('returns the units within a time for a question that asks for nothing else', () => {
    const { activated, ...context } = activation('What happened today?', units);
    expect(resultLimit(activated, { ...context, settings })).toBe(1);
  });
});
