import type { RebuiltService } from '@mneme/contracts';
import {
  type AskedService,
  askServices,
  type FoundReadModel,
  rebuildService,
  rollBackReadModel,
  verifyReadModel,
} from '@mneme/read-models';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

/** A lane with an event of this age to apply is shown by itself; the alert is about the same lanes. */
const lateSeconds = 30;

/** Shows the read models and buckets of all services, each as seen by one instance. */
export function listReadModelsCommand(): Promise<void> {
  return runCommand('The read models could not be looked at.', async () => {
    const asked = await withRunningSystem(askServices);
    return asked.flatMap(linesOf).join('\n');
  });
}

/** Makes what a service has derived again from the log, while it goes on answering. */
export function rebuildCommand(service: RebuiltService, options: { acceptLoss?: boolean }): Promise<void> {
  return runCommand(`The rebuild of ${service} is not done.`, async () => {
    const done = await withRunningSystem((system) =>
      rebuildService(system, service, { isLossAccepted: options.acceptLoss }),
    );
    return JSON.stringify(done, undefined, 2);
  });
}

/** Lets the version of a read model answer again that answered before. */
export function rollBackCommand(name: string): Promise<void> {
  return runCommand('The version that answers stays.', () =>
    withRunningSystem(async (system) => {
      return `${name}@${await rollBackReadModel(system, name)} answers.`;
    }),
  );
}

/** Compares the stores of a read model with each other, and repairs what can be repaired. */
export function verifyCommand(name: string): Promise<void> {
  return runCommand('The read model could not be compared.', () =>
    withRunningSystem(async (system) => {
      return describeVerification(await verifyReadModel(system, name));
    }),
  );
}

/** What a comparison has found. A vector whose unit is gone also stands for a row that somebody removed from MongoDB. */
export function describeVerification({ checked, repaired }: Awaited<ReturnType<typeof verifyReadModel>>): string {
  const found = Object.entries(repaired).map(([kind, count]) => `${kind}: ${count} repaired`);
  const advice =
    'If nothing was deleted meanwhile, rows of MongoDB may be missing: run `mneme rebuild memory`, which makes them again.';
  return [`${checked} checked`, ...found, ...((repaired['vectors without a unit'] ?? 0) > 0 ? [advice] : [])].join(
    '\n',
  );
}

function linesOf({ service, readModels }: AskedService): string[] {
  if (readModels instanceof Error) return [`${service}\tno answer\t${readModels.message}`];
  return readModels.flatMap(describeReadModel);
}

/** A line for each version, and one for each of its lanes that cannot be written or is behind. */
export function describeReadModel({ service, name, reason, versions }: FoundReadModel): string[] {
  if (versions.length === 0) return [`${service}\t${name}\tnone\t${reason ?? ''}`];
  return versions.flatMap((version) => {
    const { head, deferrals, lanes } = version;
    const beginning = `${service}\t${name}@${version.version}`;
    const why = version.reason ?? reason;
    const line = `${beginning}\t${version.state}\t${behind(version, head)}\t${deferrals.length} dead letters`;
    const late = lanes.filter((lane) => lane.reason !== null || lane.lagSeconds >= lateSeconds);
    const laneLines = late.map((lane) => {
      return `${beginning}\tlane ${lane.lane}\t${behind(lane, head)}\t${lane.deferred} deferred${ending(lane.reason)}`;
    });
    return [line + ending(why), ...laneLines];
  });
}

interface Progress {
  readonly position: number;
  readonly lagSeconds: number;
}

function behind({ position, lagSeconds }: Progress, head: number): string {
  return `${position}/${head}\t${lagSeconds.toFixed(1)} s behind`;
}

function ending(reason: string | null): string {
  return reason === null ? '' : `\t${reason}`;
}
