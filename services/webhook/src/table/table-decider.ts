import type { WebhookEvent, WebhookEventOf } from '@mneme/contracts';
import type { Decider } from '@mneme/event-store';

export interface CreateTable {
  readonly type: 'CreateTable';
  readonly table: WebhookEventOf<'TableCreated'>['data'];
}

/** Whether the table is there; one that is stays as it is, so that a repeated command makes nothing twice. */
export const tableDecider: Decider<boolean, CreateTable, WebhookEvent> = {
  initialState: false,
  decide: ({ table }, isThere) => (isThere ? [] : [{ type: 'TableCreated', data: table }]),
  evolve: (isThere, event) => isThere || event.type === 'TableCreated',
};
