import { agentKey, documentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { documentRowId } from '../read-model/collections.ts';
import { createLogWriter } from '../testing/events.ts';
import { segmentsOf } from './segments.ts';

const never = () => false;
const stored = documentRowId(agentKey({ space: 'public', agentId: 'alice' }), documentKey('doc'));

function cut(events: readonly Recorded<MemoryEvent>[], isStored: (id: string) => boolean = never) {
  return segmentsOf(events, { from: 0, to: 100 }, isStored).map((segment) => [
    segment.events.map(({ type }) => type),
    segment.advance.from,
    segment.advance.to,
  ]);
}

it('leaves events together that take nothing away', async () => {
  const log = createLogWriter();
  const events = [log.submitted('a', 'doc', 'x'), await log.extracted('a', 'doc', 'Tea.')];
  expect(cut(events)).toEqual([[['BatchSubmitted', 'FactsExtracted'], 0, 100]]);
});

it('cuts before what replaces a stored document, and before what replaces one of the same batch', async () => {
  const log = createLogWriter();
  const events = [await log.extracted('a', 'doc', 'Tea.'), await log.extracted('b', 'doc', 'Milk.')];
  expect(cut(events).map(([types]) => types)).toEqual([['FactsExtracted'], ['FactsExtracted']]);
  const again = [log.submitted('c', 'doc', 'x'), await log.extracted('c', 'doc', 'Tea.')];
  expect(cut(again, (id) => id === stored)).toEqual([
    [['BatchSubmitted'], 0, 3],
    [['FactsExtracted'], 3, 100],
  ]);
});

it('cuts before what is forgotten or deleted', async () => {
  const log = createLogWriter();
  const events = [log.submitted('a', null, 'x'), log.forgotten('u'), log.submitted('b', null, 'x'), log.deleted('doc')];
  expect(cut(events)).toEqual([
    [['BatchSubmitted'], 0, 1],
    [['UnitForgotten', 'BatchSubmitted'], 1, 3],
    [['DocumentDeleted'], 3, 100],
  ]);
});

it('cuts where there are too many facts for one transaction', async () => {
  const log = createLogWriter();
  const texts = Array.from({ length: 300 }, (_, index) => `Tea ${index}.`);
  const events = [
    await log.extracted('a', null, ...texts),
    await log.extracted('b', null, 'Milk.'),
    await log.extracted('c', null, ...texts),
  ];
  expect(cut(events).map(([types]) => types)).toEqual([['FactsExtracted', 'FactsExtracted'], ['FactsExtracted']]);
});
