import type { NumberEvent, NumberedKind } from '@mneme/contracts';
import type { Decider } from '../execute.ts';

/** Asks for the number after the last one. */
export interface TakeNumber {
  readonly type: 'TakeNumber';
  readonly kind: NumberedKind;
}

/** The numbers of one kind; its state is the last one that was given out. The last event alone tells it. */
export const numberDecider: Decider<number, TakeNumber, NumberEvent> = {
  initialState: 0,
  decide: ({ kind }, last) => [{ type: 'NumberTaken', data: { kind, number: last + 1 } }],
  evolve: (_last, event) => {
    if (event.type !== 'NumberTaken') throw new Error(`${event.type} does not belong to numbers`);
    return event.data.number;
  },
};
