import { readModelEndpoints } from '@mneme/contracts';
import { type DeadLetter, formatPosition } from '@mneme/event-store';
import { InvalidArgumentError } from 'commander';
import { findReadModel } from './find-read-models.ts';
import { runCommand } from './run-command.ts';
import { type RunningSystem, withRunningSystem } from './running-system.ts';

/** As many as one answer holds. */
const shown = 1_000;
/** Applying all events that an aggregate has waited with may take long. */
const retryTimeoutMs = 120_000;

/** Prints the dead letters, oldest first, one line each. */
export function listDeadLettersCommand(): Promise<void> {
  return runCommand('The dead letters could not be read.', async () => {
    const deadLetters = await withRunningSystem(process.env, ({ deadLetters: events }) =>
      events.list({ limit: shown }),
    );
    return deadLetters.length === 0 ? 'There are no dead letters.' : deadLetters.map(describe).join('\n');
  });
}

/** Lets the handler or read model process an event again, and removes the dead letter if that succeeds. */
export function retryDeadLetterCommand(sequence: number): Promise<void> {
  return runCommand('It stays a dead letter.', () =>
    withRunningSystem(process.env, async (system) => {
      const { deadLetters } = system;
      const entry = await find(system, sequence);
      const readModel = readModelOf(entry);
      if (!readModel) await deadLetters.retry(sequence);
      else {
        await settle(system, readModel, null);
        await deadLetters.discard(sequence);
      }
      return readModel ? `${sequence} was applied, with what had waited for it.` : `${sequence} was handled.`;
    }),
  );
}

/** Removes the dead letter; a read model then continues without the event. The log keeps the event. */
export function discardDeadLetterCommand(sequence: number): Promise<void> {
  return runCommand('It stays a dead letter.', () =>
    withRunningSystem(process.env, async (system) => {
      const entry = await find(system, sequence);
      const readModel = readModelOf(entry);
      if (readModel) await settle(system, readModel, entry.position.sequence);
      await system.deadLetters.discard(sequence);
      return `${sequence} is no dead letter any more; the log keeps the event.`;
    }),
  );
}

/** @throws InvalidArgumentError if it is not the number of a dead letter */
export function parseDeadLetter(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is the number at the beginning of a line of `mneme dead-letters`.');
}

async function find({ deadLetters }: RunningSystem, sequence: number): Promise<DeadLetter> {
  const entry = await deadLetters.find(sequence);
  if (!entry) throw new Error(`There is no dead letter ${sequence}`);
  return entry;
}

interface WaitingReadModel {
  readonly name: string;
  readonly version: number;
  readonly aggregate: string;
}

/** The read model that waits for the event; undefined when it was a handler that gave it up. */
function readModelOf({ by, aggregate }: DeadLetter): WaitingReadModel | undefined {
  const [name = '', version] = by.split('@');
  return aggregate === undefined || version === undefined ? undefined : { name, version: Number(version), aggregate };
}

/** @param discarded the event to leave out */
async function settle(system: RunningSystem, readModel: WaitingReadModel, discarded: number | null): Promise<void> {
  const { service } = await findReadModel(system, readModel.name);
  await system.call(readModelEndpoints(service).retry, { ...readModel, discarded }, retryTimeoutMs);
}

function describe({ sequence, by, time, type = 'unknown', position, reason }: DeadLetter): string {
  return `${sequence}\t${time}\t${by}\t${type}\t${formatPosition(position)}\t${reason}`;
}
