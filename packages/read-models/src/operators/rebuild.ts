import { setTimeout as pause } from 'node:timers/promises';
import {
  accessStream,
  type Endpoint,
  keys,
  memoryStream,
  type ReadModelService,
  type RebuiltService,
  readModelEndpoints,
  webhook,
  webhookStream,
} from '@mneme/contracts';
import { countOf, type LogCheck, subtract } from '@mneme/event-store';
import { isOutOfReach } from '@mneme/service-kit';
import { conflict } from '../errors.ts';
import { findReadModel } from './find-read-models.ts';
import type { OperatedSystem } from './operated-system.ts';

/** A large log takes its time; the service goes on when no one waits any more. */
const rebuildTimeoutMs = 3_600_000;
const statusTimeoutMs = 5_000;
const lookEveryMs = 500;
/** How long to wait for a service that does not answer, in milliseconds. */
const goneMs = 30_000;
const rollBackTimeoutMs = 30_000;
const verifyTimeoutMs = 3_600_000;

/** The service that has the read models of each target of `rebuildService`. */
export const servicesByTarget = {
  keys: 'keys',
  webhook: 'webhook',
  memory: 'memory-query',
} as const satisfies Record<RebuiltService, ReadModelService>;

const rebuilders = {
  keys: (system: OperatedSystem) => rebuildAtOnce(system, keys.rebuild),
  webhook: (system: OperatedSystem) => rebuildAtOnce(system, webhook.rebuild),
  memory: (system: OperatedSystem) => rebuildAllOf(system, servicesByTarget.memory),
} as const satisfies Record<RebuiltService, unknown>;

/** The part of the log that each service derives its read models from. */
const streams: Readonly<Record<ReadModelService, string>> = {
  keys: accessStream.name,
  webhook: webhookStream.name,
  'memory-query': memoryStream.name,
};

/**
 * Makes what a service has derived again from the log, while it goes on answering; resolves when that is done.
 * @param isLossAccepted whether to go on without events that damaged files do not give any more; their number is in the result,
 * those included that one server of several does not give
 * @throws WireError 409 when there are such events
 */
export async function rebuildService(
  system: OperatedSystem,
  service: RebuiltService,
  { isLossAccepted = false } = {},
): Promise<object> {
  const stream = streams[servicesByTarget[service]];
  const check = await system.checkLog(stream);
  if (!isLossAccepted) assertReadable(stream, check);
  const done = await rebuilders[service](system);
  const unreadableEvents = check ? lostOf(check) : 0;
  return unreadableEvents === 0 ? done : { ...done, unreadableEvents };
}

/** The same for one read model or bucket. @throws WireError 404 when there is none of this name; 409 as above */
export async function rebuildReadModel(system: OperatedSystem, name: string): Promise<Rebuilt> {
  const { service } = await findReadModel(system, name);
  assertReadable(streams[service], await system.checkLog(streams[service]));
  return rebuildOne(system, service, name);
}

/** How many events a rebuild may be without. */
function lostOf({ unreadable, members }: LogCheck): number {
  const lacking = members.map((member) => member.lacking);
  const counts = lacking.map((ranges, index) => countOf(lacking.slice(0, index).reduce(subtract, ranges)));
  return counts.reduce((sum, count) => sum + count, unreadable.length);
}

/** What is there has what came from lost events, and a rebuilt version would not. */
function assertReadable(stream: string, check: LogCheck | undefined): void {
  const [first] = check?.unreadable ?? [];
  if (check && first === undefined) {
    assertAlike(stream, check);
    return;
  }
  const found = check
    ? `${check.unreadable.length} of the events of ${stream} cannot be read any more, the first one at ${first}`
    : `There is no stream ${stream}`;
  throw conflict(
    `${found}: files of NATS are damaged or missing, and what came from these events would be lost. Restore the log from a ` +
      'backup first, or use `mneme rebuild --accept-loss`; `mneme check-log` names them.',
  );
}

/** A rebuild reads from any server that keeps the stream. */
function assertAlike(stream: string, { members }: LogCheck): void {
  const damaged = members.filter(({ lacking }) => lacking.length > 0);
  if (damaged.length === 0) return;
  const found = damaged.map(
    ({ server, lacking }) =>
      `${server} lacks ${countOf(lacking)} of the events of ${stream}, the first one at ${lacking[0]?.[0]}`,
  );
  throw conflict(
    `${found.join('; ')}: its files are damaged, and what came from these events would be lost where it is read from. Other ` +
      'servers have them: empty the store of that one first and let it catch up (docs/operating/replicas-lagging.md), or use ' +
      '`mneme rebuild --accept-loss`; `mneme check-log` names them.',
  );
}

/** Lets the version answer again that answered before. @returns its number */
export async function rollBackReadModel(system: OperatedSystem, name: string): Promise<number> {
  const { service } = await findReadModel(system, name);
  return (await system.call(readModelEndpoints(service).rollBack, { name }, rollBackTimeoutMs)).version;
}

/** Compares the stores of a read model with each other, and repairs what can be repaired. */
export async function verifyReadModel(system: OperatedSystem, name: string) {
  const { service } = await findReadModel(system, name);
  return system.call(readModelEndpoints(service).verify, { name }, verifyTimeoutMs);
}

async function rebuildAllOf(system: OperatedSystem, service: ReadModelService) {
  const { readModels } = await system.call(readModelEndpoints(service).status, {}, statusTimeoutMs);
  const done: Record<string, Rebuilt> = {};
  for (const { name } of readModels) done[name] = await rebuildOne(system, service, name);
  return done;
}

interface Rebuilt {
  readonly version: number;
  /** Missing when the instance that was asked has gone away, and another one went on. */
  readonly rows?: number;
}

async function rebuildOne(system: OperatedSystem, service: ReadModelService, name: string): Promise<Rebuilt> {
  const before = await liveVersion(system, service, name);
  const look = async () => {
    const version = await liveVersion(system, service, name);
    return version !== undefined && before !== undefined && version > before ? { version } : undefined;
  };
  const ask = () => system.call(readModelEndpoints(service).rebuild, { name }, rebuildTimeoutMs);
  return untilAnswered(service, { ask, look });
}

async function rebuildAtOnce<Rep extends object>(
  system: OperatedSystem,
  endpoint: Endpoint<object, Rep>,
): Promise<Rep> {
  const service = endpoint.service as RebuiltService;
  const look = async () => {
    await system.call(readModelEndpoints(service).status, {}, statusTimeoutMs);
    return undefined;
  };
  await look();
  return untilAnswered(service, { ask: () => system.call(endpoint, {}, rebuildTimeoutMs), look });
}

interface Asking<T> {
  /** Joins what is under way already. */
  readonly ask: () => Promise<T>;
  /** What was done without an answer. Fails when the service is away. */
  readonly look: () => Promise<T | undefined>;
}

/**
 * The instance that was asked may die, perhaps before it has begun. Another one, or itself when it runs again, goes on
 * with what was begun, or begins.
 */
async function untilAnswered<T>(service: string, { ask, look }: Asking<T>): Promise<T> {
  for (let tries = 1, seenAt = performance.now(); ; tries += 1) {
    let isThere = tries === 1;
    try {
      const done = isThere ? undefined : await look();
      isThere = true;
      return done ?? (await ask());
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
    if (isThere) seenAt = performance.now();
    if (performance.now() - seenAt > goneMs) {
      throw new Error(
        `${service} does not answer. What was begun goes on when it runs again: see \`mneme read-models\`.`,
      );
    }
    await pause(lookEveryMs);
  }
}

async function liveVersion(system: OperatedSystem, service: ReadModelService, name: string) {
  const { readModels } = await system.call(readModelEndpoints(service).status, {}, statusTimeoutMs);
  const versions = readModels.find((readModel) => readModel.name === name)?.versions ?? [];
  return versions[0]?.version;
}
