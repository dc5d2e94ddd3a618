import { type Log, messageAt, type StreamState } from '@mneme/event-store';
import type { LaneCheckpoint, SeenEvent } from '../lanes/checkpoints.ts';

/**
 * Finds out whether checkpoints belong to a log. A stream that was restored from an older backup, or made anew, gives
 * sequences a second time; what is appended then would be taken for what was applied before.
 * @returns what does not fit, in one sentence; undefined when everything fits
 */
export async function findMismatch(
  log: Log,
  { createdAt, head }: StreamState,
  checkpoints: readonly LaneCheckpoint[],
): Promise<string | undefined> {
  for (const checkpoint of checkpoints) {
    if (checkpoint.log !== null && checkpoint.log !== createdAt) {
      return `The stream ${log.stream} was created at ${createdAt}; the read model was built from one created at ${checkpoint.log}`;
    }
    if (checkpoint.position > head) {
      return `The stream ${log.stream} ends at ${head}, before event ${checkpoint.position} which the read model has applied`;
    }
  }
  const witnesses = checkpoints.flatMap(({ lastEvent }) => lastEvent ?? []);
  const other = await newestOther(log, witnesses);
  return other === undefined
    ? undefined
    : `The stream ${log.stream} has another event at ${other} than the one that the read model has applied`;
}

/**
 * A log only grows: one that is another at some event is another at every younger one, so that the youngest tells. An
 * event that was erased says nothing.
 */
async function newestOther(log: Log, witnesses: readonly SeenEvent[]): Promise<number | undefined> {
  for (const { sequence, id } of witnesses.toSorted((left, right) => right.sequence - left.sequence)) {
    const message = await messageAt(log, sequence);
    if (message) return message.headers?.get('ce-id') === id ? undefined : sequence;
  }
  return undefined;
}
