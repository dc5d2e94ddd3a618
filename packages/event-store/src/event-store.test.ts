import { expect, it } from 'vitest';
import { EventLogUnavailableError } from './errors.ts';
import { type EventStore, newestStore } from './event-store.ts';

/** A log whose replica answers with the given revisions, one after the other and the last one for ever. */
function lagging(head: number, ...revisions: number[]) {
  let reads = 0;
  const load = async (subject: string) => {
    reads += 1;
    return { subject, events: [], revision: revisions[Math.min(reads, revisions.length) - 1] ?? 0 };
  };
  return newestStore({ load, head: async () => head } as unknown as EventStore<never>);
}

it('reads again until the replica has what the leader has', async () => {
  expect((await lagging(7, 0, 3, 7).load('a')).revision).toBe(7);
  expect((await lagging(0, 0).load('a')).revision).toBe(0);
  expect((await lagging(7, 9).load('a')).revision).toBe(9);
});

it('says that the log is out of reach when the replica stays behind', async () => {
  await expect(lagging(7, 3).load('a')).rejects.toBeInstanceOf(EventLogUnavailableError);
});
