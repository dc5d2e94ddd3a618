import type { IdEvent, IdKind } from '@mneme/contracts';
import type { AsyncDecider, Decider } from '../execute.ts';

/** Asks for the id after the last one. */
export interface TakeId {
  readonly type: 'TakeId';
  readonly kind: IdKind;
  /** An id that was given out, which a log that was restored may not know. */
  readonly above: number;
}

/** The ids of one kind; its state is the last one that was given out. The last event alone tells it. */
export const idDecider: Decider<number, TakeId, IdEvent> = {
  initialState: 0,
  decide: ({ kind, above }, last) => [{ type: 'NumberTaken', data: { kind, number: Math.max(last, above) + 1 } }],
  evolve: (_last, event) => {
    if (event.type !== 'NumberTaken') throw new Error(`${event.type} does not belong to ids`);
    return event.data.number;
  },
};

/** Gives a command an id, unless it has one. */
export interface AssignId {
  readonly type: 'AssignId';
  readonly kind: IdKind;
  readonly commandId: string;
  /** Takes an unused id; asked only when one is needed. */
  readonly take: () => Promise<number>;
}

/** The id of what one command makes; undefined as long as it has none. The last event alone tells it. */
export const assignmentDecider: AsyncDecider<number | undefined, AssignId, IdEvent> = {
  initialState: undefined,
  decide: async ({ kind, commandId, take }, assigned) =>
    assigned === undefined ? [{ type: 'NumberAssigned', data: { kind, number: await take(), commandId } }] : [],
  evolve: (_assigned, event) => {
    if (event.type !== 'NumberAssigned') throw new Error(`${event.type} does not belong to the id of a command`);
    return event.data.number;
  },
};
