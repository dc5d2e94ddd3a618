import { accessSubjects, type keys, type ProjectReply, type RequestOf } from '@mneme/contracts';
import { type EventContext, execute } from '@mneme/event-store';
import { assertRoom, type CommandResult } from '@mneme/read-models';
import type { KeysDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';
import { findSpace } from '../space/queries.ts';
import { projectDecider } from './decider.ts';
import { findProject, toProject } from './queries.ts';

/**
 * @throws DomainError `space-not-found` when there is no such space, or when another user owns it
 * @throws WireError 409 when the user has as many projects as one may have
 */
export async function createProject(
  deps: KeysDeps,
  { userId, name, spaceId, commandId }: RequestOf<typeof keys.createProject>,
  context: EventContext,
): Promise<CommandResult<ProjectReply>> {
  const space = await findSpace(deps, spaceId);
  if (space?.ownerId !== userId) throw new DomainError('space-not-found');
  const beforeNew = () => assertRoomForProject(deps, userId);
  const projectId = await deps.ids.assign({ kind: 'project', userId, commandId, beforeNew }, context);
  const project = { projectId, spaceId, name, createdBy: userId };
  const subject = accessSubjects.project(projectId);
  const done = await execute(deps.store, projectDecider, subject, { type: 'CreateProject', project }, context);
  const position = await deps.progress.confirm(subject, done.position);
  const row = await findProject(deps, projectId);
  if (!row) throw new Error(`Project ${projectId} has no row`);
  return { value: toProject(row), position };
}

/** @throws WireError 409 */
async function assertRoomForProject({ rows, itemsPerUser: most }: KeysDeps, userId: number): Promise<void> {
  const owned = await rows()
    .spaces.find({ ownerId: userId }, { projection: { _id: 1 } })
    .toArray();
  const filter = { spaceId: { $in: owned.map(({ _id }) => _id) } };
  await assertRoom({ rows: rows().projects, filter, most, what: 'projects', owner: 'user' });
}
