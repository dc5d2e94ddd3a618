import type { MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { given, givenStored, rowsAfter } from '../testing/spec.ts';
import { splitWords } from './text.ts';

describe('units', () => {
  it('have ids that depend only on the log, so that a replay gives the same', async () => {
    const log = createLogWriter();
    given(...(await log.batch('a', null, 'x', 'y'))).thenRows({
      units: [{ _id: unitId('a', 0) }, { _id: unitId('a', 1) }],
    });
  });

  it('belong to no document when none was given', async () => {
    const log = createLogWriter();
    given(...(await log.batch('a', null, 'x'))).thenRows({
      units: [{ documentId: null, documentKey: null }],
      documents: [],
    });
  });

  it('are removed when they are forgotten', async () => {
    const log = createLogWriter();
    given(...(await log.batch('a', null, 'x', 'y')), log.forgotten(unitId('a', 0))).thenRows({
      units: [{ text: 'y' }],
      goneUnits: [unitId('a', 0)],
    });
  });
});

describe('a corrected unit', () => {
  const id = unitId('a', 0);

  it('has the new text, its words and entities, and the words of its context; it replaces the former one', async () => {
    const log = createLogWriter();
    const extracted = await log.extracted('a', null, 'Alice sails.', 'Bob sings.');
    const event = { ...extracted, data: { ...extracted.data, contexts: { 0: 'a letter to Alice' } } };
    given(log.submitted('a', null, 'x'), event, await log.corrected(id, 'Carol rows.')).thenRows({
      units: [
        {
          _id: id,
          text: 'Carol rows.',
          words: ' carol rows a letter to alice ',
          entities: [{ name: 'Carol', type: 'PERSON' }],
          confidence: null,
        },
        { _id: unitId('a', 1), text: 'Bob sings.' },
      ],
      goneUnits: [id],
    });
  });

  it('changes the text of its passage', async () => {
    const log = createLogWriter();
    const submitted = log.submitted('a', null, 'x');
    const { data, ...event } = await log.extracted('a', null, 'Alice sails.', 'Bob sings.');
    const facts = data.facts.map((fact) => ({ ...fact, item: 0 }));
    const stored = [submitted, { ...event, data: { ...data, facts } }];
    given(...stored).thenRows({ changedPassages: [] });
    given(...stored, await log.corrected(unitId('a', 1), 'Bob rows.')).thenRows({
      changedPassages: [{ operationId: 'a', first: 0, last: 1 }],
    });
  });

  it('that was forgotten stays gone, also if it was stored before', async () => {
    const log = createLogWriter();
    const before = await log.batch('a', null, 'Alice sails.');
    const [forgotten, corrected] = [log.forgotten(id), await log.corrected(id, 'Carol rows.')];
    given(...before, forgotten, corrected).thenRows({ units: [], goneUnits: [id] });
    const stored = [...rowsAfter(...before).newUnits.values()].map(({ unit }) => unit);
    givenStored(stored, forgotten, corrected).thenRows({ units: [], goneUnits: [id] });
    givenStored(stored, corrected).thenRows({ units: [{ _id: id, text: 'Carol rows.' }], goneUnits: [id] });
  });

  it('that was never stored is not made', async () => {
    given(await createLogWriter().corrected(id, 'Carol rows.')).thenRows({ units: [], goneUnits: [] });
  });
});

describe('vectors that are added later', () => {
  it('belong to the facts of their event, in order', async () => {
    const log = createLogWriter();
    const extracted = await log.extracted('a', null, 'x', 'y');
    const [first = '', second = ''] = extracted.data.facts.map(({ vector }) => vector);
    given(log.vectorsAdded(extracted)).thenRows({
      lateVectors: {
        [unitId('a', 0)]: { unit: undefined, vector: first },
        [unitId('a', 1)]: { unit: undefined, vector: second },
      },
    });
  });

  it('continue the facts of the parts before', async () => {
    const log = createLogWriter();
    const extracted = await log.extracted('a', null, 'x');
    const event = { ...extracted, data: { ...extracted.data, firstFact: 7 } };
    given(log.vectorsAdded(event)).thenRows({ lateVectors: { [unitId('a', 7)]: {} } });
  });
});

describe('the context of a unit', () => {
  type Extracted = Recorded<MemoryEventOf<'FactsExtracted'>>;

  /** The units of an event whose facts come from the given items, in order. */
  async function unitsOf(items: readonly number[], contexts: Record<string, string>) {
    const log = createLogWriter();
    const submitted = log.submitted('a', null, ...items.map(String));
    const event: Extracted = await log.extracted('a', null, ...items.map((item) => `fact of ${item}`));
    const facts = event.data.facts.map((fact, index) => ({ ...fact, item: items[index] ?? 0 }));
    const set = rowsAfter(submitted, { ...event, data: { ...event.data, facts, contexts } });
    return [...set.newUnits.values()].map(({ unit }) => unit);
  }

  it('is that of its item, with its words', async () => {
    const units = await unitsOf([0, 0, 1, 2], { 0: 'a letter', 2: 'a call' });
    expect(units.map(({ context }) => context)).toEqual(['a letter', 'a letter', null, 'a call']);
    expect(units[1]?.words).toBe(' fact of 0 a letter ');
    expect(units[2]?.words).toBe(' fact of 1 ');
  });

  it('is truncated to what lists show, with a share of its words', async () => {
    const context = Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ');
    const units = await unitsOf(new Array(100).fill(0), { 0: context });
    expect(units).toHaveLength(100);
    for (const unit of units) {
      expect(unit.context).toBe(context.slice(0, 2_001));
      // Three of the fact itself.
      expect(splitWords(unit.words)).toHaveLength(3 + 200);
    }
  });
});
