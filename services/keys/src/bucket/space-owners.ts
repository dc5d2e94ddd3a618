import type { AccessEvent, SpaceOwner } from '@mneme/contracts';
import type { RecordRules } from '@mneme/event-store';

/** The spaces of users, by user id. A user's first space is the personal one that everybody starts with. */
export const spaceOwnerRules: RecordRules<AccessEvent, SpaceOwner> = {
  types: ['SpaceCreated'],
  keysOf: (event) => (event.type === 'SpaceCreated' ? [String(event.data.ownerId)] : []),
  change: (event, record) => {
    if (event.type !== 'SpaceCreated') return new Map();
    const { ownerId, spaceId } = event.data;
    const before = record(String(ownerId));
    const personalSpaceId = before?.personalSpaceId ?? spaceId;
    const spaceIds = [...new Set([...(before?.spaceIds ?? []), spaceId])].sort((left, right) => left - right);
    return new Map([[String(ownerId), { personalSpaceId, spaceIds, sequence: event.position.sequence }]]);
  },
  hasEnded: () => false,
};
