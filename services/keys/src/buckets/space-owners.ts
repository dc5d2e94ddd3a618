import type { AccessEvent, SpaceOwner } from '@mneme/contracts';
import type { RecordRules } from '@mneme/read-models';

/** The spaces of users, by user id. A user's first space is the personal one that everybody starts with. */
export const spaceOwnerRules: RecordRules<AccessEvent, SpaceOwner> = {
  types: ['SpaceCreated'],
  keysOf: (event) => (event.type === 'SpaceCreated' ? [String(event.data.ownerId)] : []),
  change: (event, record) => {
    if (event.type !== 'SpaceCreated') return new Map();
    const { ownerId, spaceId } = event.data;
    const before = record(String(ownerId));
    const spaceIds = [...new Set([...(before?.spaceIds ?? []), spaceId])].sort((left, right) => left - right);
    // Ids are given out in the order of the log, and a user has the personal space before any other is asked for.
    const personalSpaceId = Math.min(...spaceIds);
    const sequence = Math.max(before?.sequence ?? 0, event.position.sequence);
    return new Map([[String(ownerId), { personalSpaceId, spaceIds, sequence }]]);
  },
  hasEnded: () => false,
  // The spaces of a user are several aggregates.
  isUnordered: true,
};
