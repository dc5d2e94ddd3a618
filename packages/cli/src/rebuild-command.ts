import { setTimeout as pause } from 'node:timers/promises';
import { keys, type ReadModelService, readModelEndpoints, webhook } from '@mneme/contracts';
import { InvalidArgumentError } from 'commander';
import { runCommand } from './run-command.ts';
import { type RunningSystem, withRunningSystem } from './running-system.ts';

/** A large log takes its time; the service goes on when no one waits any more. */
const rebuildTimeoutMs = 3_600_000;
const statusTimeoutMs = 5_000;
const lookEveryMs = 2_000;
/** A service that is not heard of for so long is not waited for. */
const goneMs = 30_000;

const rebuilders = {
  keys: (system: RunningSystem) => system.call(keys.rebuild, {}, rebuildTimeoutMs),
  webhook: (system: RunningSystem) => system.call(webhook.rebuild, {}, rebuildTimeoutMs),
  memory: (system: RunningSystem) => rebuildAllOf(system, 'memory-query'),
} as const;
export type RebuiltService = keyof typeof rebuilders;

/** Makes what a service has derived again from the log, while it goes on answering. */
export function rebuildCommand(service: RebuiltService): Promise<void> {
  return runCommand(`What ${service} had is as it was.`, async () => {
    const done = await withRunningSystem<unknown>(process.env, (system) => rebuilders[service](system));
    return JSON.stringify(done, undefined, 2);
  });
}

/** @throws InvalidArgumentError when that service cannot be rebuilt this way */
export function parseRebuiltService(text: string): RebuiltService {
  if (Object.hasOwn(rebuilders, text)) return text as RebuiltService;
  throw new InvalidArgumentError(`It is one of: ${Object.keys(rebuilders).join(', ')}.`);
}

async function rebuildAllOf(system: RunningSystem, service: ReadModelService) {
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
async function rebuildOne(system: RunningSystem, service: ReadModelService, name: string): Promise<Rebuilt> {
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

async function liveVersion(system: RunningSystem, service: ReadModelService, name: string) {
  const { readModels } = await system.call(readModelEndpoints(service).status, {}, statusTimeoutMs);
  const versions = readModels.find((readModel) => readModel.name === name)?.versions ?? [];
  return versions[0]?.version;
}
