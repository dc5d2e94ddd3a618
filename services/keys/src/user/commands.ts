import { accessSubjects } from '@mneme/contracts';
import { type EventContext, execute, type Position } from '@mneme/event-store';
import type { KeysDeps } from '../deps.ts';
import { projectDecider } from '../project/decider.ts';
import { spaceDecider } from '../space/decider.ts';
import { type JoinUser, type User, userDecider } from './decider.ts';

const firstSpaceName = 'Personal';
const firstProjectName = 'Default';

/**
 * Gives a new user a personal space with a project, and completes what an interrupted earlier request has left.
 * @returns the position of the last new event; undefined when the user has all of it
 */
export async function ensureUser(deps: KeysDeps, userId: number, context: EventContext): Promise<Position | undefined> {
  if (await hasAll(deps, userId)) return undefined;
  const { spaceId, projectId } = await join(deps, userId, context);
  const space = { spaceId, name: firstSpaceName, spaceType: 'personal', ownerId: userId } as const;
  const project = { projectId, spaceId, name: firstProjectName, createdBy: userId };
  const { store, progress } = deps;
  const [spaceSubject, subject] = [accessSubjects.space(spaceId), accessSubjects.project(projectId)];
  const made = await execute(store, spaceDecider, spaceSubject, { type: 'CreateSpace', space }, context);
  const { position } = await execute(store, projectDecider, subject, { type: 'CreateProject', project }, context);
  await progress.confirm(subject, position);
  await progress.confirm(spaceSubject, made.position);
  await progress.confirm(accessSubjects.user(userId), undefined);
  return position;
}

async function hasAll({ rows }: KeysDeps, userId: number): Promise<boolean> {
  const user = await rows().users.findOne({ _id: userId });
  if (!user) return false;
  const [space, project] = await Promise.all([
    rows().spaces.findOne({ _id: user.spaceId }),
    rows().projects.findOne({ _id: user.projectId }),
  ]);
  return space !== null && project !== null;
}

/** Of several concurrent first requests one decides; the ids that the others have taken stay unused. */
async function join({ store, ids }: KeysDeps, userId: number, context: EventContext): Promise<NonNullable<User>> {
  const command: JoinUser = { type: 'JoinUser', userId, take: (kind) => ids.take(kind, context) };
  const { state } = await execute(store, userDecider, accessSubjects.user(userId), command, context);
  if (!state) throw new Error(`User ${userId} has not joined`);
  return state;
}
