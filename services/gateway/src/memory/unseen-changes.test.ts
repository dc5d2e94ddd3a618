import { expect, it } from 'vitest';
import { UnseenChanges } from './unseen-changes.ts';

it('reads of what was changed wait for the latest change, and others do not', () => {
  const unseen = new UnseenChanges();
  unseen.note('s', { agentId: 'ana', unitId: 'AB' }, 7);
  unseen.note('s', { agentId: 'ana' }, 9);
  unseen.note('s', { agentId: 'ben' }, 8);
  expect(unseen.minSequence('s', { agentId: 'ana' }, undefined)).toBe(9);
  expect(unseen.minSequence('s', { agentId: 'ana' }, 12)).toBe(12);
  expect(unseen.minSequence('s', { unitId: 'ab' }, undefined)).toBe(7);
  expect(unseen.minSequence('s', { agentId: 'x', agentIds: ['ben', 'cy'] }, undefined)).toBe(8);
  for (const others of [{}, { agentId: 'cy' }, { unitId: 'cd' }, { operationId: 'o' }])
    expect(unseen.minSequence('s', others, undefined)).toBeUndefined();
  expect(unseen.minSequence('other', { agentId: 'ana' }, undefined)).toBeUndefined();
});

it('a change that was seen is waited for no more', () => {
  const unseen = new UnseenChanges();
  unseen.note('s', { agentId: 'ana' }, 9);
  unseen.seen('s', { agentId: 'ana' }, 8);
  expect(unseen.minSequence('s', { agentId: 'ana' }, undefined)).toBe(9);
  unseen.seen('s', { agentId: 'ana' }, 9);
  expect(unseen.minSequence('s', { agentId: 'ana' }, undefined)).toBeUndefined();
});
