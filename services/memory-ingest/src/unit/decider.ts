import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { AsyncDecider, Decider } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

/** What the log says of a unit. It comes into being in the read model, so that this is only what became of it since. */
export interface UnitHistory {
  readonly isForgotten: boolean;
  /** As the last revision left it; undefined when it is as it was formed. */
  readonly opinion: { readonly text: string; readonly confidence: number } | undefined;
  /** Ids of the events that it was revised for. */
  readonly revisedFor: ReadonlySet<string>;
}

export type UnitCommand =
  | ({ readonly type: 'ForgetUnit' } & MemoryEventOf<'UnitForgotten'>['data'])
  | { readonly type: 'ReviseOpinion'; readonly revision: MemoryEventOf<'OpinionRevised'>['data'] };

export const unitDecider: Decider<UnitHistory, UnitCommand, MemoryEvent> = {
  initialState: { isForgotten: false, opinion: undefined, revisedFor: new Set() },
  decide,
  evolve: (unit, event) => {
    switch (event.type) {
      case 'UnitForgotten':
        return { ...unit, isForgotten: true };
      case 'OpinionRevised': {
        const { text, confidence, because } = event.data;
        return { ...unit, opinion: { text, confidence }, revisedFor: new Set([...unit.revisedFor, because]) };
      }
      default:
        throw new Error(`${event.type} does not belong to a unit`);
    }
  },
};

/** Lets a model weigh an opinion again for an event. */
export interface WeighOpinion {
  readonly type: 'WeighOpinion';
  /** The id of the event that brought the facts. */
  readonly because: string;
  /**
   * Asked with the opinion as the last revision left it; undefined when it is as it was formed.
   * @returns undefined when the opinion stays as it is
   */
  readonly weigh: (opinion: UnitHistory['opinion']) => Promise<MemoryEventOf<'OpinionRevised'>['data'] | undefined>;
}

/** Decides about an opinion by what a model makes of it. No model is asked twice for one event, or for what is forgotten. */
export const opinionDecider: AsyncDecider<UnitHistory, WeighOpinion, MemoryEvent> = {
  ...unitDecider,
  decide: async ({ because, weigh }, unit) => {
    if (unit.isForgotten || unit.revisedFor.has(because)) return [];
    const revision = await weigh(unit.opinion);
    return revision ? unitDecider.decide({ type: 'ReviseOpinion', revision }, unit) : [];
  },
};

function decide(command: UnitCommand, unit: UnitHistory): readonly MemoryEventOf<'UnitForgotten' | 'OpinionRevised'>[] {
  if (command.type === 'ReviseOpinion') {
    const isDone = unit.isForgotten || unit.revisedFor.has(command.revision.because);
    return isDone ? [] : [{ type: 'OpinionRevised', data: command.revision }];
  }
  if (unit.isForgotten) throw unitNotFound();
  const { space, agentId, unitId } = command;
  return [{ type: 'UnitForgotten', data: { space, agentId, unitId } }];
}

export function unitNotFound(): DomainError {
  return new DomainError('unit-not-found', 'Memory unit not found');
}
