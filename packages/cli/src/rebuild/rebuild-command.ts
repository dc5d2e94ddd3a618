import { keys, type ReadModelService, readModelEndpoints, webhook } from '@mneme/contracts';
import { InvalidArgumentError } from 'commander';
import { runCommand } from '../running/run-command.ts';
import { type RunningSystem, withRunningSystem } from '../running/running-system.ts';

/** A large log takes its time; the service goes on when nobody waits any more. */
const rebuildTimeoutMs = 3_600_000;
const statusTimeoutMs = 5_000;

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
  const endpoints = readModelEndpoints(service);
  const { readModels } = await system.call(endpoints.status, {}, statusTimeoutMs);
  const done: Record<string, { readonly version: number; readonly rows: number }> = {};
  for (const { name } of readModels) done[name] = await system.call(endpoints.rebuild, { name }, rebuildTimeoutMs);
  return done;
}
