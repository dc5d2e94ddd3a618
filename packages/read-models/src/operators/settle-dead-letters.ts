import { readModelEndpoints, WireError } from '@mneme/contracts';
import type { DeadLetter } from '@mneme/event-store';
import { findReadModel } from './find-read-models.ts';
import type { OperatedSystem } from './operated-system.ts';

/** Applying all events that an aggregate has waited with may take long. */
const retryTimeoutMs = 120_000;

/** There is no dead letter with this id, or no longer. */
export class NoDeadLetterError extends WireError {
  constructor(sequence: number) {
    super({ status: 404, code: 'NOT_FOUND', message: `There is no dead letter ${sequence}` });
    this.name = 'NoDeadLetterError';
  }
}

/**
 * Lets the handler or read model process an event again, and removes the dead letter if that succeeds. A later event of the
 * aggregate that a read model cannot apply has a dead letter of its own then.
 * @throws NoDeadLetterError; what the reader refused with, or Error with its reason
 */
export async function retryDeadLetter(system: OperatedSystem, sequence: number): Promise<DeadLetter> {
  const entry = await find(system, sequence);
  const readModel = readModelOf(entry);
  if (!readModel) await system.deadLetters.retry(sequence);
  else {
    await settle(system, readModel, null);
    await system.deadLetters.discard(sequence);
  }
  return entry;
}

/**
 * Removes the dead letter; a read model then continues without the event, up to the next that it cannot apply. The log keeps
 * the event.
 * @throws NoDeadLetterError; what the read model refused with
 */
export async function discardDeadLetter(system: OperatedSystem, sequence: number): Promise<DeadLetter> {
  const entry = await find(system, sequence);
  const readModel = readModelOf(entry);
  if (readModel) await settle(system, readModel, entry.position.sequence);
  await system.deadLetters.discard(sequence);
  return entry;
}

async function find({ deadLetters }: OperatedSystem, sequence: number): Promise<DeadLetter> {
  const entry = await deadLetters.find(sequence);
  if (entry) return entry;
  throw new NoDeadLetterError(sequence);
}

interface WaitingReadModel {
  readonly name: string;
  readonly version: number;
  readonly aggregate: string;
}

/** The read model that waits for the event; undefined when it was a handler that gave it up. */
export function readModelOf({ by, aggregate }: DeadLetter): WaitingReadModel | undefined {
  const [name = '', version] = by.split('@');
  return aggregate === undefined || version === undefined ? undefined : { name, version: Number(version), aggregate };
}

/** @param discarded the event to leave out */
async function settle(system: OperatedSystem, readModel: WaitingReadModel, discarded: number | null): Promise<void> {
  const { service } = await findReadModel(system, readModel.name);
  await system.call(readModelEndpoints(service).retry, { ...readModel, discarded }, retryTimeoutMs);
}
