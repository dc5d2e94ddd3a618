import { agentKey, documentKey, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { documentRowId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { segmentsOf } from './segments.ts';

const never = () => false;
const stored = documentRowId(agentKey({ space: 'public', agentId: 'alice' }), documentKey('doc'));

function cut(events: readonly Recorded<MemoryEvent>[], isStored: (id: string) => boolean = never) {
  return segmentsOf(events, isStored).map((segment) => segment.map(({ type }) => type));
}

it('applies events together that remove nothing', async () => {
  const log = createLogWriter();
  const events = await log.batch('a', 'doc', 'Tea.');
  expect(cut(events)).toEqual([['BatchSubmitted', 'FactsExtracted']]);
});

it('cuts before what replaces a stored document, and before what replaces one of the same batch', async () => {
  const log = createLogWriter();
  const events = [await log.extracted('a', 'doc', 'Tea.'), await log.extracted('b', 'doc', 'Milk.')];
  expect(cut(events)).toEqual([['FactsExtracted'], ['FactsExtracted']]);
  const again = await log.batch('c', 'doc', 'Tea.');
  expect(cut(again, (id) => id === stored)).toEqual([['BatchSubmitted'], ['FactsExtracted']]);
});

it('cuts before what is forgotten or deleted', async () => {
  const log = createLogWriter();
  const events = [log.submitted('a', null, 'x'), log.forgotten('u'), log.submitted('b', null, 'x'), log.deleted('doc')];
  expect(cut(events)).toEqual([['BatchSubmitted'], ['UnitForgotten', 'BatchSubmitted'], ['DocumentDeleted']]);
});

it('cuts before there are too many facts for one transaction', async () => {
  const log = createLogWriter();
  const texts = Array.from({ length: 200 }, (_, index) => `Tea ${index}.`);
  const events = [
    await log.extracted('a', null, ...texts),
    await log.extracted('b', null, 'Milk.'),
    await log.extracted('c', null, ...texts),
  ];
  expect(cut(events)).toEqual([['FactsExtracted', 'FactsExtracted'], ['FactsExtracted']]);
});
