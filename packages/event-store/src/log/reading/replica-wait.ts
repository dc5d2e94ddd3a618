import { setTimeout as pause } from 'node:timers/promises';
import { EventLogUnavailableError } from '../../errors.ts';

const pauseMs = 20;

export interface ReplicaWait {
  /** The stream or subject that is read. */
  readonly of: string;
  /** How many pauses in a row there were already, and may be at most. */
  readonly pauses: number;
  readonly maxPauses: number;
}

/**
 * Waits a moment for a replica that is behind the leader of its stream.
 * @throws EventLogUnavailableError after `maxPauses` pauses
 */
export async function waitForReplica({ of, pauses, maxPauses }: ReplicaWait): Promise<void> {
  if (pauses >= maxPauses) throw new EventLogUnavailableError(`The replicas of ${of} stay behind their leader`);
  await pause(pauseMs);
}
