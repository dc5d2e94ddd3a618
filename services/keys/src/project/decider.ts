import type { AccessEvent, AccessEventOf } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

export type Project = AccessEventOf<'ProjectCreated'>['data'] | undefined;

export interface CreateProject {
  readonly type: 'CreateProject';
  readonly project: AccessEventOf<'ProjectCreated'>['data'];
}

/** An existing project stays as it is, so a repeated command creates nothing twice. */
export const projectDecider: Decider<Project, CreateProject, AccessEvent> = {
  initialState: undefined,
  decide: (command, project) => (project ? [] : [{ type: 'ProjectCreated', data: command.project }]),
  evolve: (_project, event) => {
    if (event.type !== 'ProjectCreated') throw new Error(`${event.type} does not belong to a project`);
    return event.data;
  },
};
