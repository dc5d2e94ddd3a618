import { WireError } from '@mneme/contracts';
import { type DeadLetter, type DeadLetters, formatPosition } from '@mneme/event-store';
import { discardDeadLetter, NoDeadLetterError, readModelOf, retryDeadLetter } from '@mneme/read-models';
import { messageOf } from '@mneme/service-kit';
import { runCommand } from './run-command.ts';
import { withRunningSystem } from './running-system.ts';

/** The most dead letters of one request, and about how many bytes they may have. */
const pageSize = 1_000;
const maxPageBytes = 8 * 1_024 ** 2;

/** Which dead letters are meant: those with the given ids, those of one reader, or all. */
export interface ChosenDeadLetters {
  readonly ids: readonly number[];
  readonly reader?: string | undefined;
  readonly all?: boolean | undefined;
}

/** Prints the dead letters, oldest first, one line each. */
export function listDeadLettersCommand(): Promise<void> {
  return runCommand('The dead letters could not be read.', async () => {
    const lines = await withRunningSystem(({ deadLetters }) => eachOf(deadLetters, describe));
    return lines.length === 0 ? 'There are no dead letters.' : lines.join('\n');
  });
}

/** Keeps what is wanted of each, and not its data. */
async function eachOf<T>(deadLetters: DeadLetters, wanted: (letter: DeadLetter) => T): Promise<T[]> {
  const kept: T[] = [];
  let from: number | undefined = 1;
  while (from !== undefined) {
    const page = await deadLetters.page(from, pageSize, maxPageBytes);
    kept.push(...page.entries.map(wanted));
    from = page.next;
  }
  return kept;
}

/** Lets handlers or read models process events again, one after the other, and removes the dead letters of those that succeed. */
export function retryDeadLettersCommand(chosen: ChosenDeadLetters): Promise<void> {
  return runCommand('The dead letters could not be retried.', () =>
    withRunningSystem(async (system) => {
      const ids = await idsOf(chosen, system.deadLetters);
      return settleEach(ids, 'handled', async (id) => {
        const readModel = readModelOf(await retryDeadLetter(system, id));
        return readModel
          ? `${id} was applied, with what had waited for it. If a later event cannot be applied, it is a dead letter now.`
          : `${id} was handled.`;
      });
    }),
  );
}

async function idsOf({ ids, reader, all }: ChosenDeadLetters, deadLetters: DeadLetters): Promise<readonly number[]> {
  if ([ids.length > 0, reader !== undefined, all === true].filter(Boolean).length !== 1)
    throw new Error('Give the ids of dead letters, or --reader and a name of the third column, or --all.');
  if (ids.length > 0) return ids;
  const found = await eachOf(deadLetters, ({ sequence, by }) => ({ sequence, by }));
  const chosen = found.filter(({ by }) => reader === undefined || by === reader);
  if (reader !== undefined && chosen.length === 0)
    throw new Error(`There is no dead letter of a reader ${reader}; \`mneme dead-letters\` names the readers.`);
  return chosen.map(({ sequence }) => sequence);
}

/** Removes dead letters; a read model then continues without the events. The log keeps them. */
export function discardDeadLettersCommand(ids: readonly number[]): Promise<void> {
  return runCommand('The dead letters could not be discarded.', () =>
    withRunningSystem((system) =>
      settleEach(ids, 'discarded', async (id) => {
        await discardDeadLetter(system, id);
        return `${id} is no dead letter any more; the log keeps the event.`;
      }),
    ),
  );
}

/**
 * Settles dead letters one after the other and says of each what became of it. One that fails holds up no other; it makes
 * the exit code 1.
 * @returns how many were settled, unless it was only one
 */
async function settleEach(
  ids: readonly number[],
  done: string,
  settle: (id: number) => Promise<string>,
): Promise<string | undefined> {
  let failures = 0;
  for (const id of ids) {
    try {
      process.stdout.write(`${await settle(id)}\n`);
    } catch (error) {
      failures += 1;
      process.exitCode = 1;
      process.stderr.write(`${whyNotDone(id, error)}\n`);
    }
  }
  if (ids.length === 1) return undefined;
  return ids.length === 0 ? 'There is no such dead letter.' : `${ids.length - failures} of ${ids.length} were ${done}.`;
}

function whyNotDone(id: number, error: unknown): string {
  const reason = messageOf(error);
  if (error instanceof NoDeadLetterError) return reason;
  const isLate = error instanceof WireError && error.status === 504;
  return `${id} ${isLate ? 'is not done yet.' : 'stays a dead letter.'} ${reason}`;
}

function describe({ sequence, by, time, type = 'unknown', position, reason }: DeadLetter): string {
  return `${sequence}\t${time}\t${by}\t${type}\t${formatPosition(position)}\t${reason}`;
}
