import { specify } from '@mneme/event-store/testing';
import { expect, it, vi } from 'vitest';
import { documentDecider } from './decider.ts';

const document = { space: 'public', agentId: 'alice', documentId: 'd' };
const deleted = { type: 'DocumentDeleted', data: document } as const;

function remove(unitCount: number | null) {
  const countUnits = vi.fn(async (_revision: number) => unitCount);
  return { countUnits, outcome: specify(documentDecider).when({ type: 'DeleteDocument', document, countUnits }) };
}

it('deletes a document that the read model has at the revision, also one without units', async () => {
  const { countUnits, outcome } = remove(3);
  await outcome.then([deleted]);
  expect(countUnits).toHaveBeenCalledExactlyOnceWith(0);
  await remove(0).outcome.then([deleted]);
});

it('refuses to delete a document that does not exist', async () => {
  await remove(null).outcome.thenRefuses('document-not-found');
});
