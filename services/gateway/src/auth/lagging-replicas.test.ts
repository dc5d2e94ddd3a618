import { bucketCheckpoint } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { validRecord } from '../testing/access-records.ts';
import { laggingBucket } from '../testing/lagging-bucket.ts';
import { createKeyRecords } from './key-records.ts';
import { createUserSpaces } from './user-spaces.ts';

const never = async () => {
  throw new Error('The keys service is not asked');
};

describe('where the replica that is asked is a revision behind', () => {
  it('a user works in a space that was just created, and in no other', async () => {
    const owner = { personalSpaceId: 11, spaceIds: [11], sequence: 1 };
    const current = { ...owner, spaceIds: [11, 12], sequence: 2 };
    const spaces = createUserSpaces(laggingBucket({ 1: owner }, { 1: current }));
    expect(await spaces.choose(1, undefined, never)).toBe('11');
    expect(await spaces.choose(1, '12', never)).toBe('12');
    await expect(spaces.choose(1, '13', never)).rejects.toMatchObject({ status: 403 });
    const unknown = createUserSpaces(laggingBucket({}, { 1: owner }));
    expect(await unknown.choose(1, '11', never)).toBe('11');
  });

  const ended = { ...validRecord, expiresAt: '2026-01-01T00:00:00Z' };

  it.each([
    ['is active again', { ...validRecord, state: 'inactive' }, validRecord],
    ['was extended', ended, validRecord],
  ])('a key that %s is valid', async (_name, former, current) => {
    const checkpoint = { [bucketCheckpoint]: {} };
    const records = laggingBucket({ ...checkpoint, hash: former }, { ...checkpoint, hash: current });
    const clock = () => Date.parse('2026-02-01T00:00:00Z');
    expect(await createKeyRecords({ records, clock }).findValid('hash')).toMatchObject({ spaceId: 5 });
  });

  it('an old key is valid after its rotation was repeated, and as long as the key that it is counted as', async () => {
    const former = { [bucketCheckpoint]: {}, old: { ...validRecord, countedAs: 'lost' }, lost: validRecord };
    const lost = { ...validRecord, state: 'replaced' };
    const current = { ...former, old: { ...validRecord, countedAs: 'new' }, lost, new: validRecord };
    const find = (now: typeof current) => {
      const records = laggingBucket({ ...former, lost }, now);
      return createKeyRecords({ records, clock: Date.now }).findValid('old');
    };
    expect(await find(current)).toMatchObject({ countedAs: 'new' });
    expect(await find({ ...current, old: former.old })).toBeUndefined();
    expect(await find({ ...current, new: { ...validRecord, state: 'revoked' } })).toBeUndefined();
  });
});
