import { WireError } from '@mneme/contracts';
import { type DeadLetter, type DeadLetters, formatPosition } from '@mneme/event-store';
import { discardDeadLetter, readModelOf, retryDeadLetter } from '@mneme/read-models';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

/** The most dead letters of one request, and about how many bytes they may have. */
const pageSize = 1_000;
const maxPageBytes = 8 * 1_024 ** 2;

/** Prints the dead letters, oldest first, one line each. */
export function listDeadLettersCommand(): Promise<void> {
  return runCommand('The dead letters could not be read.', async () => {
    const lines = await withRunningSystem(process.env, ({ deadLetters }) => describeAll(deadLetters));
    return lines.length === 0 ? 'There are no dead letters.' : lines.join('\n');
  });
}

/** Keeps a line of each, and not its data. */
async function describeAll(deadLetters: DeadLetters): Promise<string[]> {
  const lines: string[] = [];
  let from: number | undefined = 1;
  while (from !== undefined) {
    const page = await deadLetters.page(from, pageSize, maxPageBytes);
    lines.push(...page.entries.map(describe));
    from = page.next;
  }
  return lines;
}

/** Lets the handler or read model process an event again, and removes the dead letter if that succeeds. */
export function retryDeadLetterCommand(sequence: number): Promise<void> {
  return runCommand(whyNotDone, () =>
    withRunningSystem(process.env, async (system) => {
      const readModel = readModelOf(await retryDeadLetter(system, sequence));
      return readModel
        ? `${sequence} was applied, with what had waited for it. If a later event cannot be applied, it is a dead letter now.`
        : `${sequence} was handled.`;
    }),
  );
}

function whyNotDone(error: unknown): string {
  return error instanceof WireError && error.status === 504 ? 'It is not done yet.' : 'It stays a dead letter.';
}

/** Removes the dead letter; a read model then continues without the event. The log keeps the event. */
export function discardDeadLetterCommand(sequence: number): Promise<void> {
  return runCommand(whyNotDone, () =>
    withRunningSystem(process.env, async (system) => {
      await discardDeadLetter(system, sequence);
      return `${sequence} is no dead letter any more; the log keeps the event.`;
    }),
  );
}

function describe({ sequence, by, time, type = 'unknown', position, reason }: DeadLetter): string {
  return `${sequence}\t${time}\t${by}\t${type}\t${formatPosition(position)}\t${reason}`;
}
