import { expect, it } from 'vitest';
import { documentDecider } from './decider.ts';

const document = { space: 'public', agentId: 'alice', documentId: 'd' };
const asked: number[] = [];

function remove(unitCount: number | null) {
  const countUnits = async (revision: number) => {
    asked.push(revision);
    return unitCount;
  };
  const control = { revision: 7, attempt: 1, signal: new AbortController().signal };
  return documentDecider.decide({ type: 'DeleteDocument', document, countUnits }, undefined, control);
}

it('deletes a document that the read model has at the revision, also one without units', async () => {
  const deleted = [{ type: 'DocumentDeleted', data: document }];
  expect([await remove(3), await remove(0)]).toEqual([deleted, deleted]);
  expect(asked).toEqual([7, 7]);
});

it('refuses to delete one that is not there', async () => {
  await expect(remove(null)).rejects.toMatchObject({ code: 'document-not-found' });
});
