import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

/** The changes to a unit since it was created, which happens in the read model and not in the log. */
export interface UnitHistory {
  readonly isForgotten: boolean;
  /** As the last revision left it; undefined when it was never revised. */
  readonly opinion: { readonly text: string; readonly confidence: number } | undefined;
  /** The ids of the events that caused its revisions. */
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
