import { accessSubjects, type ProjectReply } from '@mneme/contracts';
import { assignId, type EventContext, execute } from '@mneme/event-store';
import type { CommandResult } from '@mneme/read-models';
import type { Access } from '../access.ts';
import { DomainError } from '../errors.ts';
import { findSpace } from '../space/queries.ts';
import { projectDecider } from './decider.ts';
import { findProject, toProject } from './queries.ts';

export interface CreateProjectRequest {
  readonly userId: number;
  readonly name: string;
  readonly spaceId: number;
  readonly commandId: string;
}

/** @throws DomainError `space-not-found` when there is no such space, or when another user owns it */
export async function createProject(
  access: Access,
  { userId, name, spaceId, commandId }: CreateProjectRequest,
  context: EventContext,
): Promise<CommandResult<ProjectReply>> {
  const space = await findSpace(access, spaceId);
  if (space?.ownerId !== userId) throw new DomainError('space-not-found', 'Space not found');
  const projectId = await assignId(access, { kind: 'project', userId, commandId }, context);
  const project = { projectId, spaceId, name, createdBy: userId };
  const subject = accessSubjects.project(projectId);
  const done = await execute(access.store, projectDecider, subject, { type: 'CreateProject', project }, context);
  const position = await access.progress.confirm(subject, done.position);
  const row = await findProject(access, projectId);
  if (!row) throw new Error(`Project ${projectId} has no row`);
  return { value: toProject(row), position };
}
