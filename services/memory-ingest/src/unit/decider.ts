import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { AsyncDecider, Decider } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

/** The changes to a unit since it was created, which happens in the read model and not in the log. */
export interface UnitHistory {
  readonly isForgotten: boolean;
  /** As the last correction or revision left it; undefined when there was none. */
  readonly text: string | undefined;
  /** Of an opinion, as the last revision left it; undefined when it was never revised. */
  readonly confidence: number | undefined;
  /**
   * Of an opinion, the date of the newest fact that it was revised for, no later than the fact became known; undefined when none
   * is known. ISO 8601 in UTC.
   */
  readonly factsUntil: string | undefined;
  /** The ids of the events that caused its revisions. */
  readonly revisedFor: ReadonlySet<string>;
  /** The ids of its corrections. */
  readonly corrections: ReadonlySet<string>;
}

export type ForgetUnit = { readonly type: 'ForgetUnit' } & MemoryEventOf<'UnitForgotten'>['data'];

export const unitDecider: Decider<UnitHistory, ForgetUnit, MemoryEvent> = {
  initialState: {
    isForgotten: false,
    text: undefined,
    confidence: undefined,
    factsUntil: undefined,
    revisedFor: new Set(),
    corrections: new Set(),
  },
  decide: ({ space, agentId, unitId }, unit) => {
    if (unit.isForgotten) throw new DomainError('unit-not-found');
    return [{ type: 'UnitForgotten', data: { space, agentId, unitId } }];
  },
  evolve: (unit, event) => {
    switch (event.type) {
      case 'UnitForgotten':
        return { ...unit, isForgotten: true };
      case 'OpinionRevised': {
        const { text, confidence, because } = event.data;
        const factsUntil = newestOf([unit.factsUntil, atMost(event.data.factsUntil, event.time)]);
        return { ...unit, text, confidence, factsUntil, revisedFor: new Set([...unit.revisedFor, because]) };
      }
      case 'UnitCorrected': {
        const { text, correctionId } = event.data;
        return { ...unit, text, corrections: new Set([...unit.corrections, correctionId]) };
      }
      default:
        throw new Error(`${event.type} does not belong to a unit`);
    }
  },
};

/** The newest of some dates, which are ISO 8601 in UTC with milliseconds; undefined when there is none. */
export function newestOf(dates: readonly (string | undefined)[]): string | undefined {
  return dates
    .filter((date) => date !== undefined)
    .sort()
    .at(-1);
}

/** The earlier of two dates, which are ISO 8601 in UTC with milliseconds. A fact about the future is no news from the future. */
export function atMost(date: string | undefined, limit: string | undefined): string | undefined {
  return date !== undefined && limit !== undefined && limit < date ? limit : date;
}

/** Replaces the text of a unit. */
export interface CorrectUnit {
  readonly type: 'CorrectUnit';
  readonly correctionId: string;
  readonly text: string;
  /** The text that the caller corrects; null: any. */
  readonly expectedText: string | null;
  /** As the read model has it, which holds for a unit that was never changed. */
  readonly storedText: string;
  /** Finds the entities and the vector of the new text; called only for a correction that is recorded. */
  readonly correct: () => Promise<MemoryEventOf<'UnitCorrected'>['data']>;
}

/** Corrects a unit, with the help of models. Nothing follows from a correction that is recorded already, or changes nothing. */
export const correctionDecider: AsyncDecider<UnitHistory, CorrectUnit, MemoryEvent> = {
  ...unitDecider,
  decide: async ({ correctionId, text, expectedText, storedText, correct }, unit) => {
    if (unit.isForgotten) throw new DomainError('unit-not-found');
    if (unit.corrections.has(correctionId)) return [];
    const current = unit.text ?? storedText;
    if (expectedText !== null && expectedText !== current) throw new DomainError('unit-changed');
    return text === current ? [] : [{ type: 'UnitCorrected', data: await correct() }];
  },
};

/** A part is undefined when nothing has changed it. */
export type CurrentOpinion = Pick<UnitHistory, 'text' | 'confidence' | 'factsUntil'>;

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
    const { text, confidence, factsUntil } = unit;
    const revision = await weigh({ text, confidence, factsUntil });
    return revision ? [{ type: 'OpinionRevised', data: revision }] : [];
  },
};
