import type { AccessEvent, AccessEventOf } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

export type Space = AccessEventOf<'SpaceCreated'>['data'] | undefined;

export interface CreateSpace {
  readonly type: 'CreateSpace';
  readonly space: AccessEventOf<'SpaceCreated'>['data'];
}

/** A space that is there already stays as it is, so that a repeated command makes nothing twice. */
export const spaceDecider: Decider<Space, CreateSpace, AccessEvent> = {
  initialState: undefined,
  decide: (command, space) => (space ? [] : [{ type: 'SpaceCreated', data: command.space }]),
  evolve: (_space, event) => {
    if (event.type !== 'SpaceCreated') throw new Error(`${event.type} does not belong to a space`);
    return event.data;
  },
};
