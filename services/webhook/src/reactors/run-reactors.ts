import { webhookEvents, webhookStream, webhookSubjects } from '@mneme/contracts';
import {
  deadLetters,
  openLog,
  purgeSubject,
  type RunningHandler,
  runHandler,
  type StoredMessage,
} from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { type ReplayDeps, whenReplayRequested } from './when-replay-requested.ts';
import { type ErasureDeps, whenWebhookDeleted } from './when-webhook-deleted.ts';

export type ReactorDeps = ReplayDeps &
  Omit<ErasureDeps, 'log' | 'deadLetters' | 'purge'> & {
    readonly connection: NatsConnection;
    readonly logger: Logger;
    /** Called for each delivery of an event that only a newer release knows. */
    readonly onUnknownType?: ((type: string, handler: string) => void) | undefined;
  };

/** After this time without a sign of life of the instance that handles an event, another instance gets it. */
const ackWaitMs = 10_000;
/** So that a long replay or erasure does not hold up others; neither do many of one webhook. */
const concurrency = 4;

/** Starts the reactors of this service. */
export async function runReactors(deps: ReactorDeps): Promise<readonly RunningHandler[]> {
  const { connection, logger, onUnknownType } = deps;
  const handlerOptions = {
    connection,
    logger,
    stream: webhookStream.name,
    filterSubject: webhookSubjects.allWebhooks,
    catalog: webhookEvents,
    // An operator can have a dead letter handled again.
    onExhausted: 'dead-letter',
    ackWaitMs,
    concurrency,
    onUnknownType,
    ownerOf: ({ subject }: StoredMessage) => [subject, subject] as const,
  } as const;
  const purge = (subject: string) => purgeSubject(connection, webhookStream.name, subject);
  const log = openLog(connection, webhookStream.name);
  const erasing = { ...deps, log, purge, deadLetters: deadLetters(connection) };
  return Promise.all([
    runHandler({
      ...handlerOptions,
      durable: 'webhook-replays',
      types: ['ReplayRequested'],
      handle: (event, { signal }) => whenReplayRequested(deps, event, signal),
    }),
    runHandler({
      ...handlerOptions,
      durable: 'webhook-erasures',
      types: ['WebhookDeleted'],
      handle: (event, { signal }) => whenWebhookDeleted(erasing, event, signal),
    }),
  ]);
}
