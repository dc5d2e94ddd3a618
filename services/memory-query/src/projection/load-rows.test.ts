import { describe, expect, it } from 'vitest';
import { emptyWorkingSet, type WorkingSet } from '../read-model/working-set.ts';
import { createLogWriter } from '../testing/events.ts';
import { rowsAfter } from '../testing/spec.ts';
import { RecentRows } from './load-rows.ts';

/** The rows after a batch was submitted. */
function submitted(operationId: string, documentId: string | null, content: string): WorkingSet {
  return rowsAfter(createLogWriter().submitted(operationId, documentId, content));
}

function remembered(...sets: readonly WorkingSet[]) {
  const recent = new RecentRows();
  for (const set of sets) recent.remember(set);
  return recent.operations;
}

describe('the rows that a projector remembers', () => {
  it('are the last state of each row', () => {
    const later = submitted('a', null, 'x');
    const rows = remembered(submitted('a', null, 'x'), later);
    expect(rows.get('a')).toBe(later.operations.get('a'));
  });

  it('do not include long texts, nor a shorter one that has become long', () => {
    const later = submitted('a', 'doc', 'x'.repeat(5_000));
    const rows = remembered(submitted('a', 'doc', 'short'), later);
    expect(rows.get('a')).toEqual({ ...later.operations.get('a'), pendingText: undefined });
  });

  it('are bounded: the rows written longest ago are dropped first', () => {
    const rows = remembered(...Array.from({ length: 600 }, (_, index) => submitted(String(index), null, 'x')));
    expect(rows.size).toBe(500);
    expect([rows.has('99'), rows.has('100')]).toEqual([false, true]);
  });

  it('are forgotten when an agent is erased', () => {
    const erased = { ...emptyWorkingSet(), erasedAgents: new Map([['k', { agentKey: 'k', space: 's' }]]) };
    expect(remembered(submitted('a', null, 'x'), erased).size).toBe(0);
  });
});
