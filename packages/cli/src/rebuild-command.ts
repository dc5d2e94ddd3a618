import { type RebuiltService, rebuiltServices } from '@mneme/contracts';
import { rebuildService } from '@mneme/read-models';
import { InvalidArgumentError } from 'commander';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

/** Makes what a service has derived again from the log, while it goes on answering. */
export function rebuildCommand(service: RebuiltService): Promise<void> {
  return runCommand(`What ${service} had is as it was.`, async () => {
    const done = await withRunningSystem(process.env, (system) => rebuildService(system, service));
    return JSON.stringify(done, undefined, 2);
  });
}

/** @throws InvalidArgumentError when that service cannot be rebuilt this way */
export function parseRebuiltService(text: string): RebuiltService {
  const service = rebuiltServices.find((each) => each === text);
  if (service) return service;
  throw new InvalidArgumentError(`It is one of: ${rebuiltServices.join(', ')}.`);
}
