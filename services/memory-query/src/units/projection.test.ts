import type { MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { fold } from '../projection/apply-event.ts';
import { emptyWorkingSet } from '../read-model/working-set.ts';
import { createLogWriter } from '../testing/events.ts';

type Extracted = Recorded<MemoryEventOf<'FactsExtracted'>>;

/** The units of an event whose facts come from the items given, in order. */
async function unitsOf(items: readonly number[], contexts: Record<string, string>) {
  const log = createLogWriter();
  const set = emptyWorkingSet();
  fold(set, log.submitted('a', null, ...items.map(String)));
  const event: Extracted = await log.extracted('a', null, ...items.map((item) => `fact of ${item}`));
  const facts = event.data.facts.map((fact, index) => ({ ...fact, item: items[index] ?? 0 }));
  fold(set, { ...event, data: { ...event.data, facts, contexts } });
  return [...set.newUnits.values()].map(({ unit }) => unit);
}

it('gives each unit the context of its item, and its words', async () => {
  const units = await unitsOf([0, 0, 1, 2], { 0: 'a letter', 2: 'a call' });
  expect(units.map(({ context }) => context)).toEqual(['a letter', 'a letter', null, 'a call']);
  expect(units[1]?.words).toEqual(['fact', 'of', '0', 'a', 'letter']);
  expect(units[2]?.words).toEqual(['fact', 'of', '1']);
});

it('keeps of a long context what lists show, and a share of its words', async () => {
  const context = Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ');
  const units = await unitsOf(new Array(100).fill(0), { 0: context });
  for (const unit of units) {
    expect(unit.context).toBe(context.slice(0, 2_001));
    // Three of the fact itself.
    expect(unit.words).toHaveLength(3 + 200);
  }
});
