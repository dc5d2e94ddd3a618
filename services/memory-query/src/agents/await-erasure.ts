import { setTimeout as pause } from 'node:timers/promises';
import { type AgentRef, agentKey } from '@mneme/contracts';
import type { MemoryReadModel } from '../read-model/read-model.ts';
import { removalId } from '../read-model/removals.ts';

export interface AwaitErasure extends AgentRef {
  /** Of the erasure. */
  readonly sequence: number;
  readonly waitMs: number;
}

const lookEveryMs = 50;

/** Makes the function that waits until no version of the read model has anything of an erased agent. */
export function awaitErasure(readModel: MemoryReadModel) {
  return async ({ sequence, waitMs, ...agent }: AwaitErasure): Promise<{ isDone: boolean }> => {
    const deadline = Date.now() + waitMs;
    const key = agentKey(agent);
    if (!(await readModel.awaitAllVersions(sequence, waitMs, key))) return { isDone: false };
    for (;;) {
      const _id = removalId(key, null);
      const left = readModel
        .allContents()
        .map(({ collections }) => collections.removals.countDocuments({ _id }, { limit: 1 }));
      if ((await Promise.all(left)).every((count) => count === 0)) return { isDone: true };
      if (Date.now() > deadline) return { isDone: false };
      await pause(lookEveryMs);
    }
  };
}
