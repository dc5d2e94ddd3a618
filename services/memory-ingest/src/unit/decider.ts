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
  /** The ids of the events that caused its revisions. */
  readonly revisedFor: ReadonlySet<string>;
  /** The ids of its corrections. */
  readonly corrections: ReadonlySet<string>;
}

export type UnitCommand =
  | ({ readonly type: 'ForgetUnit' } & MemoryEventOf<'UnitForgotten'>['data'])
  | { readonly type: 'ReviseOpinion'; readonly revision: MemoryEventOf<'OpinionRevised'>['data'] };

export const unitDecider: Decider<UnitHistory, UnitCommand, MemoryEvent> = {
  initialState: {
    isForgotten: false,
    text: undefined,
    confidence: undefined,
    revisedFor: new Set(),
    corrections: new Set(),
  },
  decide,
  evolve: (unit, event) => {
    switch (event.type) {
      case 'UnitForgotten':
        return { ...unit, isForgotten: true };
      case 'OpinionRevised': {
        const { text, confidence, because } = event.data;
        return { ...unit, text, confidence, revisedFor: new Set([...unit.revisedFor, because]) };
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

function decide(command: UnitCommand, unit: UnitHistory): readonly MemoryEventOf<'UnitForgotten' | 'OpinionRevised'>[] {
  if (command.type === 'ReviseOpinion') {
    const isDone = unit.isForgotten || unit.revisedFor.has(command.revision.because);
    return isDone ? [] : [{ type: 'OpinionRevised', data: command.revision }];
  }
  if (unit.isForgotten) throw new DomainError('unit-not-found');
  const { space, agentId, unitId } = command;
  return [{ type: 'UnitForgotten', data: { space, agentId, unitId } }];
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
