import { formatPosition, type ParkedEvent } from '@mneme/event-store';
import { InvalidArgumentError } from 'commander';
import { runCommand } from '../running/run-command.ts';
import { withRunningSystem } from '../running/running-system.ts';

/** As many as one answer holds. */
const shown = 1_000;

/** Shows what no reader could read and what handlers gave up, the oldest first, a line each. */
export function listParkedCommand(): Promise<void> {
  return runCommand('The parked events could not be read.', async () => {
    const parked = await withRunningSystem(process.env, ({ parked: events }) => events.list({ limit: shown }));
    return parked.length === 0 ? 'Nothing is parked.' : parked.map(describe).join('\n');
  });
}

/** Has a handler take an event once more, and takes the copy away when that worked. */
export function retryParkedCommand(sequence: number): Promise<void> {
  return runCommand('It stays parked.', async () => {
    await withRunningSystem(process.env, ({ parked }) => parked.retry(sequence));
    return `${sequence} was handled.`;
  });
}

/** Takes the copy away; the log keeps the original. */
export function discardParkedCommand(sequence: number): Promise<void> {
  return runCommand('It stays parked.', async () => {
    await withRunningSystem(process.env, ({ parked }) => parked.discard(sequence));
    return `${sequence} is no longer parked; the log keeps the event.`;
  });
}

/** @throws InvalidArgumentError when it is no number of a parked event */
export function parseParked(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is the number at the beginning of a line of `mneme parked`.');
}

function describe({ sequence, by, time, type = 'unknown', position, reason }: ParkedEvent): string {
  return `${sequence}\t${time}\t${by}\t${type}\t${formatPosition(position)}\t${reason}`;
}
