import { expect, it } from 'vitest';
import { projectDecider } from './decider.ts';

const project = { projectId: 2, spaceId: 1, name: 'Assistant', createdBy: 3 };

it('is made once and stays as it was made', () => {
  const events = projectDecider.decide({ type: 'CreateProject', project }, projectDecider.initialState);
  expect(events).toEqual([{ type: 'ProjectCreated', data: project }]);
  const made = events.reduce(projectDecider.evolve, projectDecider.initialState);
  expect(projectDecider.decide({ type: 'CreateProject', project: { ...project, spaceId: 9 } }, made)).toEqual([]);
  expect(made).toEqual(project);
});
