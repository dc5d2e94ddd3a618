import type { AccessEvent, AccessEventOf } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

export type Space = AccessEventOf<'SpaceCreated'>['data'] | undefined;

export interface CreateSpace {
  readonly type: 'CreateSpace';
  readonly space: AccessEventOf<'SpaceCreated'>['data'];
}

/** An existing space stays as it is, so a repeated command creates nothing twice. */
export const spaceDecider: Decider<Space, CreateSpace, AccessEvent> = {
  initialState: undefined,
  decide: (command, space) => (space ? [] : [{ type: 'SpaceCreated', data: command.space }]),
  evolve: (_space, event) => {
    if (event.type !== 'SpaceCreated') throw new Error(`${event.type} does not belong to a space`);
    return event.data;
  },
};
