import { webhookEvents, webhookStream, webhookSubjects } from '@mneme/contracts';
import { deadLetters, purgeSubject, type RunningHandler, runHandler } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { type ReplayDeps, whenReplayRequested } from './when-replay-requested.ts';
import { type ErasureDeps, whenWebhookDeleted } from './when-webhook-deleted.ts';

export type HandlerDeps = ReplayDeps &
  Omit<ErasureDeps, 'parked' | 'purge'> & { readonly connection: NatsConnection; readonly logger: Logger };

/** After so long without a sign of life of the instance that has an event, another one gets it. */
const ackWaitMs = 10_000;
/** So many tries bridge about half an hour without a store. */
const maxTries = 35;
/** A long replay or erasure holds up no others. */
const concurrency = 4;

const listening = {
  stream: webhookStream.name,
  filterSubject: webhookSubjects.allWebhooks,
  catalog: webhookEvents,
  // An operator can have it done once more.
  onExhausted: 'dead-letter',
  ...{ ackWaitMs, maxTries, concurrency, backoffMs },
} as const;

/** Replays calls that are asked for, some at a time. */
export function runReplays(deps: HandlerDeps): Promise<RunningHandler> {
  const { connection, logger } = deps;
  return runHandler({
    ...{ ...listening, connection, logger },
    durable: 'webhook-replays',
    types: ['ReplayRequested'],
    handle: (event, { signal }) => whenReplayRequested(deps, event, signal),
  });
}

/** Erases what deleted webhooks have received. */
export function runErasures(deps: HandlerDeps): Promise<RunningHandler> {
  const { connection, logger } = deps;
  const purge = (subject: string) => purgeSubject(connection, webhookStream.name, subject);
  const erasing = { ...deps, purge, parked: deadLetters(connection) };
  return runHandler({
    ...{ ...listening, connection, logger },
    durable: 'webhook-erasures',
    types: ['WebhookDeleted'],
    handle: (event, { signal }) => whenWebhookDeleted(erasing, event, signal),
  });
}

/** Doubles with every try, up to a minute. */
function backoffMs(tries: number): number {
  return Math.min(1_000 * 2 ** (tries - 1), 60_000);
}
