import { setTimeout as pause } from 'node:timers/promises';
import { type WebhookEvent, type WebhookEventOf, webhookEvents, webhookSubjects } from '@mneme/contracts';
import {
  causedBy,
  type DeadLetters,
  decodeEvent,
  type Eraser,
  type EventContext,
  execute,
  firstMessage,
  type Log,
  type Recorded,
} from '@mneme/event-store';
import type { ReadModel } from '@mneme/read-models';
import type { Filter } from 'mongodb';
import type { WebhookDeps } from '../deps.ts';
import type { ProcessingCollections } from '../processing/state.ts';
import { tableDecider } from '../table/decider.ts';
import { removePendingDeletions, removeSenderDeliveries } from '../webhook-rows/pending-deletions.ts';
import type { StoredDelivery, WebhookCollections } from '../webhook-rows/rows.ts';
import { awaitApplied } from './await-applied.ts';

export interface ErasureDeps extends Pick<WebhookDeps, 'store' | 'aggregates' | 'rows'> {
  /** The log of the store, for reading single messages. */
  readonly log: Log;
  readonly eraser: Eraser;
  /** Removes all messages of a subject. */
  readonly purge: (subject: string) => Promise<void>;
  readonly deadLetters: Pick<DeadLetters, 'eraseCopies'>;
  readonly readModel: Pick<ReadModel<WebhookEvent, WebhookCollections>, 'name' | 'await' | 'allContents'>;
  /** The processing of deliveries. */
  readonly processing: Pick<ReadModel<WebhookEvent, ProcessingCollections>, 'name' | 'await' | 'allContents'>;
}

const keepBatchSize = 32;
const eraseBatchSize = 5;
/** With more deliveries than this, overwriting would slow the log down for minutes. */
export const maxOverwritten = 2_000;
/** A gateway that had just accepted a delivery appends it behind the deletion; another pass finds it. */
const maxPasses = 10;

/**
 * Erases the deliveries of a deleted webhook from the read model and from the log. Rows that they became are kept first,
 * each by an event of its own, so that a rebuild has them. Steps that are done are not repeated, so this goes on after a
 * crash.
 */
export async function whenWebhookDeleted(
  deps: ErasureDeps,
  event: Recorded<WebhookEventOf<'WebhookDeleted'>>,
  signal: AbortSignal,
): Promise<void> {
  const { webhookId } = event.data;
  const context = causedBy(event);
  const { sequence } = event.position;
  await awaitApplied(deps.readModel, deps, { webhookId, sequence });
  await removePendingDeletions(deps.readModel.allContents());
  const tableId = await tableOf(deps, webhookId);
  if (tableId !== null) await keepRows(deps, { webhookId, tableId }, context, signal);
  await eraseDeliveries(deps, webhookId, signal);
  const subject = webhookSubjects.deliveries(webhookId);
  await deps.deadLetters.eraseCopies((original) => original.subject === subject);
  await forgetSenderDeliveries(deps, { webhookId, sequence });
}

/** Removes the senders' delivery ids that the processing has. Once it knows of the deletion, it adds none. */
async function forgetSenderDeliveries(
  deps: ErasureDeps,
  event: { readonly webhookId: number; readonly sequence: number },
): Promise<void> {
  // It may wait for an event that could not be applied: it adds none meanwhile, and what it will apply is erased.
  await awaitApplied(deps.processing, deps, event, { isBehindAllowed: true });
  for (const { senderDeliveries } of deps.processing.allContents()) {
    await removeSenderDeliveries(senderDeliveries, event.webhookId);
  }
}

/** From the first event alone: from there to the next one, the server may search all of the log, and appends wait meanwhile. */
async function tableOf({ log }: ErasureDeps, webhookId: number): Promise<number | null> {
  const message = await firstMessage(log, webhookSubjects.webhook(webhookId), 1);
  const created = message && decodeEvent(webhookEvents, message);
  return created?.type === 'WebhookCreated' ? created.data.tableId : null;
}

async function keepRows(
  deps: ErasureDeps,
  { webhookId, tableId }: { webhookId: number; tableId: number },
  context: EventContext,
  signal: AbortSignal,
): Promise<void> {
  const { store, rows } = deps;
  const subject = webhookSubjects.table(tableId);
  // So that the read model knows the rows that an earlier try has kept.
  await awaitApplied(deps.readModel, deps, { webhookId, sequence: await store.head(subject) });
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const filter: Filter<StoredDelivery> = { tableId, _id: { $gt: after }, origin: webhookId, isKept: { $ne: true } };
    const found = await rows().deliveries.find(filter).sort({ tableId: 1, _id: 1 }).limit(keepBatchSize).toArray();
    const last = found.at(-1);
    if (!last) break;
    await restingAsLong(async () => {
      const kept = await Promise.all(
        found.map((delivery) => {
          const command = { type: 'KeepRow', payload: delivery.payload } as const;
          return execute(store, tableDecider, subject, command, keptAs(delivery, context), { history: 'irrelevant' });
        }),
      );
      // Reads of other tables wait for what this one has in the same lane.
      await awaitApplied(deps.readModel, deps, {
        webhookId,
        sequence: Math.max(...kept.map(({ revision }) => revision)),
      });
    }, signal);
    after = last._id;
  }
}

function keptAs({ _id, createdAt, sourceIp }: StoredDelivery, context: EventContext): EventContext {
  const attributes = { callid: String(_id), createdat: createdAt.toISOString(), sourceip: sourceIp };
  return { ...context, attributes, eventId: `row-kept-${_id}` };
}

async function eraseDeliveries({ eraser, purge }: ErasureDeps, webhookId: number, signal: AbortSignal): Promise<void> {
  const subject = webhookSubjects.deliveries(webhookId);
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    // One more tells that a purge is needed; there may be millions.
    const found = await eraser.find(subject, { limit: maxOverwritten + 1 });
    const sequences = found.map(({ sequence }) => sequence);
    if (sequences.length === 0) return;
    if (sequences.length > maxOverwritten) await purge(subject);
    else await overwrite(eraser, sequences, signal);
  }
  // Deliveries of gateways that do not know of the deletion yet; the next try erases what has come until then.
  throw new Error(`Deliveries of webhook ${webhookId} are still arriving`);
}

/** In small batches, with pauses as long as the work, because the log appends nothing while it overwrites a message. */
async function overwrite(eraser: Eraser, sequences: readonly number[], signal: AbortSignal): Promise<void> {
  for (let from = 0; from < sequences.length; from += eraseBatchSize) {
    signal.throwIfAborted();
    await restingAsLong(() => eraser.erase(sequences.slice(from, from + eraseBatchSize), { atOnce: 1 }), signal);
  }
}

/** Does some work, and then nothing for as long as it took, so that others have half of the time. */
async function restingAsLong(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  await work();
  await pause(performance.now() - startedAt, undefined, { signal });
}
