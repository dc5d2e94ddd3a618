import type { MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { given, rowsAfter } from '../testing/spec.ts';

describe('units', () => {
  it('have ids that depend only on the log, so that a replay gives the same', async () => {
    const log = createLogWriter();
    given(log.submitted('a', null, 'x'), await log.extracted('a', null, 'x', 'y')).thenRows({
      units: [{ _id: unitId('a', 0) }, { _id: unitId('a', 1) }],
    });
  });

  it('belong to no document when none was given', async () => {
    const log = createLogWriter();
    given(log.submitted('a', null, 'x'), await log.extracted('a', null, 'x')).thenRows({
      units: [{ documentId: null, documentKey: null }],
      documents: [],
    });
  });

  it('are removed when they are forgotten', async () => {
    const log = createLogWriter();
    given(
      log.submitted('a', null, 'x'),
      await log.extracted('a', null, 'x', 'y'),
      log.forgotten(unitId('a', 0)),
    ).thenRows({ units: [{ text: 'y' }], goneUnits: [unitId('a', 0)] });
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
    expect(units[1]?.words).toEqual(['fact', 'of', '0', 'a', 'letter']);
    expect(units[2]?.words).toEqual(['fact', 'of', '1']);
  });

  it('is truncated to what lists show, with a share of its words', async () => {
    const context = Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ');
    const units = await unitsOf(new Array(100).fill(0), { 0: context });
    for (const unit of units) {
      expect(unit.context).toBe(context.slice(0, 2_001));
      // Three of the fact itself.
      expect(unit.words).toHaveLength(3 + 200);
    }
  });
});
