import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { AsyncDecider } from '@mneme/event-store';
import { isOpen, type Operation, operationDecider } from './decider.ts';

/** Asks for the work on a batch to be done and recorded. */
export interface ProcessBatch {
  readonly type: 'ProcessBatch';
  /**
   * Does the work, or goes on with it when it was asked before.
   * @returns undefined when it takes long or has failed, so that others are to see that the batch is being worked on first
   */
  readonly complete: (operation: Operation) => Promise<readonly MemoryEventOf<'FactsExtracted'>[] | undefined>;
}

/** Decides about an operation by the work of models. No model is asked for one that is finished or cancelled. */
export const batchDecider: AsyncDecider<Operation, ProcessBatch, MemoryEvent> = {
  ...operationDecider,
  decide: async ({ complete }, operation) => {
    if (!isOpen(operation)) return [];
    const events = await complete(operation);
    return operationDecider.decide(events ? { type: 'RecordFacts', events } : { type: 'StartOperation' }, operation);
  },
};
