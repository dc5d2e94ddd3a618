import type { RebuiltService } from '@mneme/contracts';
import { rebuildService } from '@mneme/read-models';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

/** Makes what a service has derived again from the log, while it goes on answering. */
export function rebuildCommand(service: RebuiltService): Promise<void> {
  return runCommand(`What ${service} had is as it was.`, async () => {
    const done = await withRunningSystem(process.env, (system) => rebuildService(system, service));
    return JSON.stringify(done, undefined, 2);
  });
}
