import { accessStream, memoryStream, webhookStream } from '@mneme/contracts';
import type { LogCheck } from '@mneme/event-store';
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
    const { head, read, unreadable } = check;
    const damage =
      unreadable.length === 0 ? 'none missing' : `${unreadable.length} cannot be read: ${named(unreadable)}`;
    return `${stream}\t${read} events up to ${head}\t${damage}`;
  });
  const advice =
    'Files of NATS are damaged or missing. What was derived from these events is still in the read models; a rebuild would ' +
    'lose it. Restore the log from a backup first (docs/backup.md).';
  return (checks.every(isWhole) ? lines : [...lines, advice]).join('\n');
}

function isWhole([, check]: Checked): boolean {
  return check !== undefined && check.unreadable.length === 0;
}

function named(sequences: readonly number[]): string {
  const first = sequences.slice(0, maxNamed).join(', ');
  return sequences.length > maxNamed ? `${first}, …` : first;
}
