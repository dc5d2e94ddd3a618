import { specify } from '@mneme/event-store/testing';
import { it } from 'vitest';
import { projectDecider } from './decider.ts';

const project = { projectId: 2, spaceId: 1, name: 'Assistant', createdBy: 3 };

it('is created once, however often the command comes', () => {
  const created = { type: 'ProjectCreated', data: project } as const;
  specify(projectDecider).when({ type: 'CreateProject', project }).then([created]);
  const repeated = { type: 'CreateProject', project: { ...project, spaceId: 9 } } as const;
  specify(projectDecider).given([created]).when(repeated).then([]);
});
