import { accessSubjects, type keys, type RequestOf, type SpaceReply } from '@mneme/contracts';
import { type EventContext, execute } from '@mneme/event-store';
import { assertRoom, type CommandResult } from '@mneme/read-models';
import type { KeysDeps } from '../deps.ts';
import { spaceDecider } from './decider.ts';
import { findSpace, toSpace } from './queries.ts';

/**
 * Creates another space of a user, who has the personal one already.
 * @throws WireError 409 when the user has as many spaces as one may have
 */
export async function createSpace(
  deps: KeysDeps,
  { userId, name, type, commandId }: RequestOf<typeof keys.createSpace>,
  context: EventContext,
): Promise<CommandResult<SpaceReply>> {
  const { rows, itemsPerUser: most } = deps;
  const beforeNew = () =>
    assertRoom({ rows: rows().spaces, filter: { ownerId: userId }, most, what: 'spaces', owner: 'user' });
  const spaceId = await deps.ids.assign({ kind: 'space', userId, commandId, beforeNew }, context);
  const space = { spaceId, name, spaceType: type, ownerId: userId };
  const subject = accessSubjects.space(spaceId);
  const done = await execute(deps.store, spaceDecider, subject, { type: 'CreateSpace', space }, context);
  const position = await deps.progress.confirm(subject, done.position);
  const row = await findSpace(deps, spaceId);
  if (!row) throw new Error(`Space ${spaceId} has no row`);
  return { value: toSpace(row), position };
}
