import type { RecordedFact } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { passagesOf } from './passages.ts';
import { settingsOf } from './setting.ts';

const named = { name: 'Bolt', type: 'OTHER' } as const;

function fact(text: string, change: Partial<RecordedFact> = {}): RecordedFact {
  return {
    text,
    item: 0,
    entities: [],
    factType: 'world',
    eventDate: '2026-01-01T00:00:00.000Z',
    ...change,
  } as RecordedFact;
}

function settings(facts: readonly RecordedFact[], contexts: Record<string, string> = {}) {
  return settingsOf(facts, passagesOf(facts, 5), contexts);
}

it('a fact that stands alone, or names what it is about, depends on nothing else', () => {
  expect(settings([fact('A refund was requested.')])).toEqual([null]);
  expect(settings([fact('Bolt has a ticket.', { entities: [named] }), fact('It is late.')])[0]).toBeNull();
});

it('a fact that names nothing depends on the facts around it and on its place among them', () => {
  const after = (first: string) => settings([fact(first), fact('Refund requested.'), fact('Refund requested.')]);
  const [, bolt, again] = after('Ticket 7.');
  expect(bolt).toBe(after('Ticket 7.')[1]);
  expect(bolt).not.toBe(after('Ticket 8.')[1]);
  expect(bolt).not.toBe(again);
});

it('every fact depends on the context of its item', () => {
  const facts = [fact('Bolt wants a refund.', { entities: [named] }), fact('It is late.', { item: 1 })];
  const [first, second] = settings(facts, { 0: 'ticket 501' });
  expect(first).toHaveLength(16);
  expect(second).toBeNull();
  expect(settings(facts, { 0: 'ticket 777' })[0]).not.toBe(first);
});
