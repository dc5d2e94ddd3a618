import { keys } from '@mneme/contracts';
import { asIntact, commandOf, toReply } from '@mneme/read-models';
import { type Failure, onePerCommand, type Service } from '@mneme/service-kit';
import type { KeysDeps } from './deps.ts';
import { failingAs } from './errors.ts';
import { createKey, regenerateKey, revokeKey, updateKey } from './key/commands.ts';
import { findListedKey, hasKeyStorage, listKeys } from './key/queries.ts';
import { createProject } from './project/commands.ts';
import { listProjects } from './project/queries.ts';
import { createSpace } from './space/commands.ts';
import { listSpaces } from './space/queries.ts';
import type { UsageHistory } from './usage/history.ts';
import type { UsageRows } from './usage/rows.ts';
import { ensureUser } from './user/commands.ts';
import { me, spaceOwner } from './user/queries.ts';

/** Answers requests about users, spaces and projects. */
export function serveSpaces(service: Pick<Service, 'serve'>, deps: KeysDeps): void {
  const { rows, progress } = deps;
  service.serve(keys.me, async ({ userId, minSequence }, context) => {
    const position = await ensureUser(deps, userId, context);
    await progress.reach(minSequence);
    return toReply({ value: await me(rows(), userId), position });
  });
  service.serve(keys.ensureUser, async ({ userId }, context) => {
    const position = await ensureUser(deps, userId, context);
    return toReply({ value: await spaceOwner(rows(), userId), position });
  });
  service.serve(keys.listSpaces, async ({ userId, minSequence }, context) => {
    await ensureUser(deps, userId, context);
    return reading(deps, minSequence, () => listSpaces(rows(), userId));
  });
  service.serve(keys.listProjects, async ({ userId, minSequence }, context) => {
    await ensureUser(deps, userId, context);
    return reading(deps, minSequence, () => listProjects(rows(), userId));
  });
  const create = commandOf(deps, createSpace);
  service.serve(keys.createSpace, async (request, context) => {
    // The first space of a user is the personal one, so it has to exist before any other space.
    await ensureUser(deps, request.userId, context);
    return create(request, context);
  });
  service.serve(keys.createProject, commandOf(deps, createProject));
}

/** Answers requests about API keys. */
export function serveKeys(
  service: Pick<Service, 'serve'>,
  deps: KeysDeps,
  usage: UsageRows,
  history: UsageHistory,
): void {
  service.serve(keys.listKeys, (query) => reading(deps, query.minSequence, () => listKeys(deps, usage, query)));
  service.serve(keys.keyHistory, (query) =>
    reading(deps, query.minSequence, async () => {
      const { keyId } = await findListedKey(deps, query);
      return history.read({ ...query, keyId }, deps.clock());
    }),
  );
  service.serve(keys.countUsage, async ({ counts }) => {
    await history.add(counts);
    return {};
  });
  const create = onePerCommand(commandOf(deps, createKey));
  service.serve(
    keys.createKey,
    failingAs((_cause, { projectId }) => failedCreate(deps, projectId), create),
  );
  service.serve(keys.updateKey, commandOf(deps, updateKey));
  service.serve(keys.revokeKey, commandOf(deps, revokeKey));
  service.serve(keys.regenerateKey, onePerCommand(commandOf(deps, regenerateKey)));
}

/** Reads once the read model has applied a sequence, and only what it surely has. */
async function reading<T>({ progress }: KeysDeps, minSequence: number | undefined, read: () => Promise<T>): Promise<T> {
  await progress.reach(minSequence);
  return asIntact(progress, read);
}

/** The message names the key storage of the space while the space has none, because its first key creates it. */
async function failedCreate(deps: KeysDeps, projectId: number): Promise<Failure> {
  const hasStorage = await hasKeyStorage(deps, projectId).catch(() => true);
  const message = hasStorage ? 'Failed to create API key' : 'Failed to create api_keys_list table in System Data.';
  return { code: 'INTERNAL_ERROR', message };
}
