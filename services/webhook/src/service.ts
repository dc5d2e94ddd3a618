import {
  type AccessEvent,
  accessStream,
  type WebhookEvent,
  type WebhookToken,
  webhook,
  webhookEvents,
  webhookStream,
  webhookSubjects,
  webhookTokenSchema,
  webhookTokensBucket,
  webhookTokensOptions,
} from '@mneme/contracts';
import { createIds, type EventStore, newestStore, oneAtATime, openEraser } from '@mneme/event-store';
import { KeptBucket, type OperatedReadModel, ReadModel, readAfterWrite, serveReadModels } from '@mneme/read-models';
import type { Logger, Sealing, Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import { createAggregates } from './aggregates.ts';
import { webhookTokenRules } from './buckets/webhook-tokens.ts';
import type { AccessPolicy } from './config.ts';
import { createDeliveryWait } from './delivery/delivery-wait.ts';
import { serveTables, serveWebhooks } from './endpoints.ts';
import { processing } from './processing/processing.ts';
import { projectReadModel } from './project-rows/projection.ts';
import { runErasures, runReplays } from './reactors/run-reactors.ts';
import { rebuild } from './rebuild.ts';
import { keepSweeping } from './webhook-rows/pending-deletions.ts';
import { webhookReadModel } from './webhook-rows/projection.ts';
import type { Webhooks } from './webhooks.ts';

export interface WebhookDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<WebhookEvent>;
  /** The log of spaces and projects. */
  readonly access: EventStore<AccessEvent>;
  readonly service: Service;
  readonly client: MongoClient;
  readonly db: Db;
  /** How many servers keep the bucket. */
  readonly replicas: number;
  readonly policy: AccessPolicy;
  readonly sealing: Sealing;
  readonly clock: () => Date;
  /** Makes the token of a new webhook. */
  readonly newToken: () => string;
  readonly logger: Logger;
}

const stream = webhookStream.name;

export interface RunningWebhooks {
  /** The rows, the copy of projects, the processing and the bucket. */
  readonly readModels: readonly OperatedReadModel[];
  stop(): Promise<void>;
}

/** Answers about webhooks, calls and tables, works off the calls, and keeps what is derived from their events. */
export async function createWebhooks(deps: WebhookDeps): Promise<RunningWebhooks> {
  const { connection, client, db, service, policy, sealing, clock, newToken, logger } = deps;
  const store = newestStore(deps.store);
  const aggregates = createAggregates(connection);
  const eraser = openEraser(connection, stream);
  const [readModel, projects, work, tokens] = await Promise.all([
    ReadModel.start(deps, webhookReadModel(client, db, aggregates)),
    ReadModel.start(deps, projectReadModel(client, db)),
    ReadModel.start(deps, processing({ ...deps, store, eraser, aggregates })),
    keepTokens(deps),
  ]);
  const rows = () => readModel.contents();
  const head = () => store.head();
  const lastDelivery = () => store.head(webhookSubjects.allDeliveries);
  const log = { store, subjects: webhookSubjects };
  const webhooks: Webhooks = {
    ...{ ...log, policy, sealing, clock, newToken, rows, aggregates },
    ids: createIds(log),
    progress: readAfterWrite({ stream, readModel, buckets: [tokens], head }),
    deliveryWait: createDeliveryWait({ work, readModel, head, lastDelivery }),
    projects: {
      rows: () => projects.contents(),
      progress: readAfterWrite({
        ...{ stream: accessStream.name, readModel: projects, buckets: [], head: () => deps.access.head() },
      }),
    },
  };
  serveWebhooks(service, webhooks, connection);
  serveTables(service, webhooks);
  const rebuilding = { readModel, projects, tokens, logger };
  service.serve(
    webhook.rebuild,
    oneAtATime(() => rebuild(rebuilding)),
  );
  const handling = { ...log, connection, logger, readModel, work, rows, eraser, aggregates };
  const sweeping = keepSweeping(rows, logger);
  const handlers = await Promise.all([runReplays(handling), runErasures(handling)]);
  const readModels = [readModel, projects, work, tokens];
  serveReadModels(service, 'webhook', readModels);
  return {
    readModels,
    stop: async () => {
      await Promise.all([sweeping, ...handlers].map((running) => running.stop()));
      await work.stop();
      await Promise.all([readModel.stop(), projects.stop(), tokens.stop()]);
    },
  };
}

/** What the gateway reads at every call. */
function keepTokens({ connection, client, db, replicas, logger }: WebhookDeps) {
  const log = { connection, client, db, replicas, logger, stream, catalog: webhookEvents };
  return KeptBucket.start<WebhookEvent, WebhookToken>(log, {
    ...{ name: webhookTokensBucket, ...webhookTokensOptions, schema: webhookTokenSchema, rules: webhookTokenRules },
    ...{ subjects: webhookSubjects.allWebhooks, aggregateOf: ({ subject }) => subject },
  });
}
