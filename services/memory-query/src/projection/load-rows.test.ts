import { describe, expect, it } from 'vitest';
import type { StoredOperation } from '../read-model/rows.ts';
import { emptyWorkingSet, type WorkingSet } from '../read-model/working-set.ts';
import { createLogWriter } from '../testing/events.ts';
import { fold } from './apply-event.ts';
import { RecentRows } from './load-rows.ts';

/** The rows after a batch was submitted. */
function submitted(operationId: string, documentId: string | null, content: string): WorkingSet {
  const set = emptyWorkingSet();
  fold(set, createLogWriter().submitted(operationId, documentId, content));
  return set;
}

function rowsAfter(...sets: readonly WorkingSet[]): ReadonlyMap<string, StoredOperation> {
  const recent = new RecentRows();
  for (const set of sets) recent.remember(set);
  return recent.operations;
}

describe('what a projector remembers', () => {
  it('holds the last state of a row', () => {
    const later = submitted('a', null, 'x');
    const rows = rowsAfter(submitted('a', null, 'x'), later);
    expect(rows.get('a')).toBe(later.operations.get('a'));
  });

  it('holds no long texts, and no older state of a row whose text became long', () => {
    const rows = rowsAfter(submitted('a', 'doc', 'short'), submitted('a', 'doc', 'x'.repeat(5_000)));
    expect(rows.has('a')).toBe(false);
  });

  it('is bounded: the rows written longest ago go first', () => {
    const rows = rowsAfter(...Array.from({ length: 600 }, (_, index) => submitted(String(index), null, 'x')));
    expect(rows.size).toBe(500);
    expect([rows.has('99'), rows.has('100')]).toEqual([false, true]);
  });

  it('is forgotten when an agent was erased', () => {
    const erased = { ...emptyWorkingSet(), erasedAgents: new Map([['k', { agentKey: 'k', space: 's' }]]) };
    expect(rowsAfter(submitted('a', null, 'x'), erased).size).toBe(0);
  });

  it('is forgotten at once', () => {
    const recent = new RecentRows();
    recent.remember(submitted('a', null, 'x'));
    recent.forget();
    expect([...recent.operations, ...recent.agents]).toEqual([]);
  });
});
