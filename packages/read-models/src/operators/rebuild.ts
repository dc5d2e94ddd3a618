import { setTimeout as pause } from 'node:timers/promises';
import { keys, type ReadModelService, type RebuiltService, readModelEndpoints, webhook } from '@mneme/contracts';
import { findReadModel } from './find-read-models.ts';
import type { OperatedSystem } from './operated-system.ts';

/** A large log takes its time; the service goes on when no one waits any more. */
const rebuildTimeoutMs = 3_600_000;
const statusTimeoutMs = 5_000;
const lookEveryMs = 2_000;
/** A service that is not heard of for so long is not waited for. */
const goneMs = 30_000;
const rollBackTimeoutMs = 30_000;
const verifyTimeoutMs = 3_600_000;

const rebuilders = {
  keys: (system: OperatedSystem) => system.call(keys.rebuild, {}, rebuildTimeoutMs),
  webhook: (system: OperatedSystem) => system.call(webhook.rebuild, {}, rebuildTimeoutMs),
  memory: (system: OperatedSystem) => rebuildAllOf(system, 'memory-query'),
} as const satisfies Record<RebuiltService, unknown>;

/** Makes what a service has derived again from the log, while it goes on answering; resolves when that is done. */
export function rebuildService(system: OperatedSystem, service: RebuiltService): Promise<object> {
  return rebuilders[service](system);
}

/** The same for one read model or bucket. @throws WireError 404 when there is none of this name */
export async function rebuildReadModel(system: OperatedSystem, name: string): Promise<Rebuilt> {
  const { service } = await findReadModel(system, name);
  return rebuildOne(system, service, name);
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

/** The instance that was asked may die; another one, or itself when it runs again, then goes on. */
async function rebuildOne(system: OperatedSystem, service: ReadModelService, name: string): Promise<Rebuilt> {
  const endpoints = readModelEndpoints(service);
  const before = await liveVersion(system, service, name);
  const asked = system.call(endpoints.rebuild, { name }, rebuildTimeoutMs);
  asked.catch(() => undefined);
  let seenAt = performance.now();
  for (let known = before; ; ) {
    const answer = await Promise.race([asked, pause(lookEveryMs)]);
    if (answer) return answer;
    // The answer comes a moment after the version.
    if (known !== undefined && before !== undefined && known > before) return { version: known };
    known = await liveVersion(system, service, name).catch(() => undefined);
    if (known !== undefined) seenAt = performance.now();
    if (performance.now() - seenAt > goneMs) {
      throw new Error(`${service} does not answer. It goes on when it runs again: see \`mneme read-models\`.`);
    }
  }
}

async function liveVersion(system: OperatedSystem, service: ReadModelService, name: string) {
  const { readModels } = await system.call(readModelEndpoints(service).status, {}, statusTimeoutMs);
  const versions = readModels.find((readModel) => readModel.name === name)?.versions ?? [];
  return versions[0]?.version;
}
