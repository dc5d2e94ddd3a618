import {
  type AskedService,
  askServices,
  type FoundReadModel,
  rollBackReadModel,
  verifyReadModel,
} from '@mneme/read-models';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

/** Shows the read models and buckets of all services, a line for each version. */
export function listReadModelsCommand(): Promise<void> {
  return runCommand('The read models could not be looked at.', async () => {
    const asked = await withRunningSystem(process.env, askServices);
    return asked.flatMap(linesOf).join('\n');
  });
}

/** Lets the version of a read model answer again that answered before. */
export function rollBackCommand(name: string): Promise<void> {
  return runCommand('The version that answers stays.', () =>
    withRunningSystem(process.env, async (system) => {
      return `${name}@${await rollBackReadModel(system, name)} answers.`;
    }),
  );
}

/** Compares the stores of a read model with each other, and repairs what can be repaired. */
export function verifyCommand(name: string): Promise<void> {
  return runCommand('The read model could not be compared.', () =>
    withRunningSystem(process.env, async (system) => {
      const done = await verifyReadModel(system, name);
      const repaired = Object.entries(done.repaired).map(([kind, count]) => `${kind}: ${count} repaired`);
      return [`${done.checked} checked`, ...repaired].join('\n');
    }),
  );
}

function linesOf({ service, readModels }: AskedService): string[] {
  if (readModels instanceof Error) return [`${service}\tno answer\t${readModels.message}`];
  return readModels.flatMap(describe);
}

function describe({ service, name, reason, versions }: FoundReadModel): string[] {
  if (versions.length === 0) return [`${service}\t${name}\tnone\t${reason ?? ''}`];
  return versions.map((version) => {
    const { position, head, lagSeconds, deferrals } = version;
    const behind = `${position}/${head}\t${lagSeconds.toFixed(1)} s behind\t${deferrals.length} dead letters`;
    const why = version.reason ?? reason;
    return `${service}\t${name}@${version.version}\t${version.state}\t${behind}${why === null ? '' : `\t${why}`}`;
  });
}
