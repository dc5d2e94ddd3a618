import type { WebhookEvent, webhookSubjects } from '@mneme/contracts';
import type { EventStore, Ids, Position } from '@mneme/event-store';
import type { ReadAfterWrite } from '@mneme/read-models';
import type { Sealing } from '@mneme/service-kit';
import type { Aggregates } from './aggregates.ts';
import type { AccessPolicy } from './config.ts';
import type { DeliveryWait } from './delivery/delivery-wait.ts';
import type { ProjectCollections } from './project-rows/projection.ts';
import type { WebhookCollections } from './webhook-rows/rows.ts';

/** What commands and questions of this service work with. */
export interface Webhooks {
  readonly store: EventStore<WebhookEvent>;
  readonly subjects: typeof webhookSubjects;
  readonly ids: Ids;
  readonly policy: AccessPolicy;
  readonly sealing: Sealing;
  readonly clock: () => Date;
  /** Makes the token of a new webhook. */
  readonly newToken: () => string;
  /** The rows of the version that answers. */
  readonly rows: () => WebhookCollections;
  readonly progress: ReadAfterWrite;
  /** Which events belong together. */
  readonly aggregates: Aggregates;
  /** Waits until calls are worked off. */
  readonly deliveryWait: DeliveryWait;
  /** The copy of spaces and projects. */
  readonly projects: { readonly rows: () => ProjectCollections; readonly progress: ReadAfterWrite };
}

/** What a command has led to. */
export interface Carried<T> {
  readonly value: T;
  /** Of the last event that it appended; undefined when it appended none. */
  readonly position: Position | undefined;
}

/**
 * Waits until what a command did, or what it found done, holds everywhere.
 * @param position of what it appended; undefined when that was nothing
 */
export async function confirmCommand(
  { store, progress, aggregates }: Webhooks,
  subject: string,
  position: Position | undefined,
): Promise<void> {
  await progress.confirm(position?.sequence ?? (await store.head(subject)), await aggregates.ofSubject(subject));
}
