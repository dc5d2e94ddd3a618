import { type Log, messageAt, type StreamState } from '@mneme/event-store';
import type { LaneCheckpoint } from '../lanes/checkpoints.ts';

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
  const witnesses = new Map(
    checkpoints.flatMap(({ lastEvent }) => (lastEvent ? [[lastEvent.sequence, lastEvent.id]] : [])),
  );
  const found = await Promise.all([...witnesses].map(([sequence, id]) => isAnother(log, sequence, id)));
  const other = [...witnesses.keys()][found.indexOf(true)];
  return other === undefined
    ? undefined
    : `The stream ${log.stream} has another event at ${other} than the one that the read model has applied`;
}

/** An event that was erased says nothing. */
async function isAnother(log: Log, sequence: number, id: string): Promise<boolean> {
  const message = await messageAt(log, sequence);
  return message !== undefined && message.headers?.get('ce-id') !== id;
}
