import { agentKeyOf, type MemoryEvent } from '@mneme/contracts';
import type { EventStore } from '@mneme/event-store';
import { joinReads } from '@mneme/workers/joined-reads';
import type { MemoryReadModel } from './read-model/read-model.ts';
import type { ReadRequirement } from './read-model/reads.ts';

/** How long to wait for all events of a subject, in milliseconds. */
const allWaitMs = 1_000;

export interface RequiredEventsDeps {
  readonly store: Pick<EventStore<MemoryEvent>, 'head' | 'lastOfType'>;
  readonly readModel: Pick<MemoryReadModel, 'await' | 'position'>;
}

/**
 * Returns the sequence up to which a read has to see the events of an agent under a subject. Usually that is the last event.
 * If it is not applied within a second, because a large batch is being applied before it or by it, it is the last event of a
 * required type.
 */
export type RequiredSequence = (
  subject: string,
  asked: Pick<ReadRequirement, 'minSequence' | 'isBehindAllowed'>,
) => Promise<number>;

/** @param isRequired whether a read must not miss events of a type */
export function createRequiredSequence(
  { store, readModel }: RequiredEventsDeps,
  isRequired: (type: string | undefined) => boolean,
): RequiredSequence {
  // A caller that waits for a large batch asks again and again.
  const lastRequired = joinReads(async (subject) => {
    // Events after the position that this instance knows are read; an instance that holds the lane may be further.
    const applied = readModel.position(agentKeyOf(subject));
    // Not less than that: a version that takes over may not be as far.
    return Math.max(applied, await store.lastOfType(subject, isRequired, applied));
  });
  return async (subject, { minSequence = 0, isBehindAllowed = false }) => {
    const last = await store.head(subject);
    if (last <= minSequence) return minSequence;
    const isApplied = await readModel.await(last, allWaitMs, agentKeyOf(subject), { isBehindAllowed });
    return Math.max(isApplied ? last : await lastRequired(subject), minSequence);
  };
}
