import { accessStream, memoryStream, webhookStream } from '@mneme/contracts';
import { countOf, firstOf, type LogCheck } from '@mneme/event-store';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

/** How many sequences are named. */
const maxNamed = 20;

/** Reads all events of the log. What cannot be read is a failure, so that a script notices. */
export function checkLogCommand(): Promise<void> {
  return runCommand('The event log could not be checked.', async () => {
    const checks = await withRunningSystem(async ({ checkLog }) => {
      const done: Checked[] = [];
      for (const { name } of [memoryStream, webhookStream, accessStream]) done.push([name, await checkLog(name)]);
      return done;
    });
    if (!checks.every(isWhole)) process.exitCode = 1;
    return describeLogChecks(checks);
  });
}

type Checked = readonly [stream: string, check: LogCheck | undefined];

/** A line for each stream, and what to do if one is damaged or missing. */
export function describeLogChecks(checks: readonly Checked[]): string {
  const lines = checks.map(([stream, check]) => {
    if (!check) return `${stream}\tthere is no such stream`;
    return `${stream}\t${check.read} events up to ${check.head}\t${faultsOf(check).join('; ') || 'none missing'}`;
  });
  return [...lines, ...adviceOn(checks)].join('\n');
}

function faultsOf({ unreadable, members }: LogCheck): string[] {
  const lost = unreadable.length === 0 ? [] : [`${unreadable.length} cannot be read: ${named(unreadable)}`];
  const faults = members.flatMap(({ server, lacking, isUnchecked }) => {
    if (isUnchecked) return [`${server} is away or behind, and was not checked`];
    return lacking.length === 0
      ? []
      : [`${server} lacks ${countOf(lacking)} that others have: ${named(firstOf(lacking, maxNamed + 1))}`];
  });
  return [...lost, ...faults];
}

function adviceOn(checks: readonly Checked[]): string[] {
  const members = checks.flatMap(([, check]) => check?.members ?? []);
  const isLost = checks.some(([, check]) => !check || check.unreadable.length > 0);
  const damaged = [...new Set(members.filter(({ lacking }) => lacking.length > 0).map(({ server }) => server))];
  const away = members.some(({ isUnchecked }) => isUnchecked);
  return [
    ...(isLost ? [restoreAdvice] : []),
    ...(damaged.length > 0 ? [`Files of NATS are damaged on ${damaged.join(', ')}. ${emptyAdvice}`] : []),
    ...(away ? ['Repeat this when all servers of NATS run and have caught up.'] : []),
  ];
}

const restoreAdvice =
  'Files of NATS are damaged or missing. What was derived from these events is still in the read models; a rebuild would ' +
  'lose it. Restore the log from a backup first (docs/backup.md).';

const emptyAdvice =
  'Read models are built from any server, and a rebuild may lose what was derived from these events. Empty the store of one ' +
  'such server and let it catch up before the next one (docs/operating/replicas-lagging.md).';

function isWhole([, check]: Checked): boolean {
  return check !== undefined && faultsOf(check).length === 0;
}

function named(sequences: readonly number[]): string {
  const first = sequences.slice(0, maxNamed).join(', ');
  return sequences.length > maxNamed ? `${first}, …` : first;
}
