import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';
import { type UnitHistory, unitDecider } from '../unit/decider.ts';

/** A part is undefined when nothing has changed it. */
export type CurrentOpinion = Pick<UnitHistory, 'text' | 'confidence'>;

/** Lets a model weigh an opinion again because of an event. */
export interface WeighOpinion {
  readonly type: 'WeighOpinion';
  /** The id of the event with the new facts. */
  readonly because: string;
  /**
   * @param current what the last change left
   * @returns undefined when the opinion stays as it is
   */
  readonly weigh: (current: CurrentOpinion) => Promise<MemoryEventOf<'OpinionRevised'>['data'] | undefined>;
}

/**
 * Decides about a unit that holds an opinion, with the help of a model. The model is not called twice for one event, nor
 * for a forgotten unit.
 */
export const opinionDecider: AsyncDecider<UnitHistory, WeighOpinion, MemoryEvent> = {
  ...unitDecider,
  decide: async ({ because, weigh }, unit) => {
    if (unit.isForgotten || unit.revisedFor.has(because)) return [];
    const revision = await weigh({ text: unit.text, confidence: unit.confidence });
    return revision ? unitDecider.decide({ type: 'ReviseOpinion', revision }, unit) : [];
  },
};
