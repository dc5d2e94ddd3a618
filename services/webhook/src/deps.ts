import type { WebhookEvent } from '@mneme/contracts';
import type { BucketRoom, EventStore, Ids, StateCache } from '@mneme/event-store';
import type { ReadAfterWrite, ReadSlots } from '@mneme/read-models';
import type { AccessPolicy, Sealing } from '@mneme/service-kit';
import type { Aggregates } from './aggregates.ts';
import type { DeliveryWait } from './delivery/delivery-wait.ts';
import type { ProjectCollections } from './project-rows/projection.ts';
import type { TableNames } from './table-names/decider.ts';
import type { Webhook } from './webhook/decider.ts';
import type { OpenToken } from './webhook/open-token.ts';
import type { WebhookCollections } from './webhook-rows/rows.ts';

/** What the commands and queries of this service work with. */
export interface WebhookDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly ids: Ids;
  /** The states of webhooks that were decided about. */
  readonly webhookStates: StateCache<Webhook>;
  /** The names of the tables of projects, so that the next one reads only what came after them. */
  readonly tableNames: StateCache<TableNames>;
  /** For the records by which the gateway recognises webhooks. */
  readonly tokenRoom: BucketRoom;
  readonly policy: AccessPolicy;
  readonly sealing: Sealing;
  /** Opens the token of a webhook; empty if it cannot be opened. */
  readonly openToken: OpenToken;
  readonly clock: () => Date;
  /** Makes the token of a new webhook. */
  readonly newToken: () => string;
  /** The collections of the read model's live version. */
  readonly rows: () => WebhookCollections;
  readonly progress: ReadAfterWrite;
  readonly readSlots: ReadSlots;
  /** How many webhooks one user may have, and how many tables a project. */
  readonly itemsPerUser: number;
  readonly aggregates: Aggregates;
  readonly deliveryWait: DeliveryWait;
  /** The copy of spaces and projects. */
  readonly projects: { readonly rows: () => ProjectCollections; readonly progress: ReadAfterWrite };
}
