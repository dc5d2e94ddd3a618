import type { ReadModel } from '@mneme/read-models';
import type { WebhookDeps } from '../deps.ts';

const waitS = 60;

export type AwaitedReadModel = Pick<ReadModel<never, unknown>, 'name' | 'await'>;

/**
 * Waits until a read model has applied an event of a webhook, or of its table.
 * @param options.isBehindAllowed whether events that could not be applied do not matter
 * @throws Error after 60 s, and WireError like `ReadModel.await`
 */
export async function awaitApplied(
  readModel: AwaitedReadModel,
  { aggregates }: Pick<WebhookDeps, 'aggregates'>,
  { webhookId, sequence }: { readonly webhookId: number; readonly sequence: number },
  options?: { readonly isBehindAllowed?: boolean },
): Promise<void> {
  const aggregate = await aggregates.ofWebhook(webhookId);
  if (await readModel.await(sequence, waitS * 1_000, aggregate, options)) return;
  throw new Error(
    `Webhook ${webhookId}: the read model ${readModel.name} has not applied event ${sequence} within ${waitS} s`,
  );
}
