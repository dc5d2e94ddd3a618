import {
  type AccessEvent,
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
import {
  createNumbers,
  createProgress,
  type EventStore,
  LiveReadModel,
  newestStore,
  oneAtATime,
  openEraser,
} from '@mneme/event-store';
import { KeptBucket } from '@mneme/read-models';
import type { Logger, Sealing, Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import { projectReadModel } from './access/project-rows.ts';
import { webhookTokenRules } from './bucket/webhook-tokens.ts';
import { workOffCalls } from './call/call-work.ts';
import { createSettling } from './call/settling.ts';
import type { AccessPolicy } from './config.ts';
import { keepSweeping } from './erasure/keep-sweeping.ts';
import { runErasures, runReplays } from './handlers.ts';
import { webhookReadModel } from './read-model/webhook-projection.ts';
import { rebuild } from './rebuild/rebuild.ts';
import { serveTables, serveWebhooks } from './serve.ts';
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

/** Answers about webhooks, calls and tables, works off the calls, and keeps what is derived from their events. */
export async function createWebhooks(deps: WebhookDeps): Promise<{ stop(): Promise<void> }> {
  const { connection, service, policy, sealing, clock, newToken, logger } = deps;
  const store = newestStore(deps.store);
  const readModel = await LiveReadModel.start(deps, webhookReadModel);
  const projects = await LiveReadModel.start(deps, projectReadModel);
  const tokens = await keepTokens(deps);
  const rows = () => readModel.collections();
  const eraser = openEraser(connection, stream);
  const work = await workOffCalls({ ...deps, store, readModel, rows, eraser });
  const head = () => store.head();
  const lastCall = () => store.head(webhookSubjects.allCalls);
  const log = { store, subjects: webhookSubjects };
  const webhooks: Webhooks = {
    ...{ ...log, policy, sealing, clock, newToken, rows },
    numbers: createNumbers(log),
    progress: createProgress({ stream, readModel, buckets: [tokens], head }),
    settling: createSettling({ work, readModel, head, lastCall }),
    projects: {
      rows: () => projects.collections(),
      progress: createProgress({
        ...{ stream: projectReadModel.stream, readModel: projects, buckets: [], head: () => deps.access.head() },
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
  const handling = { ...log, connection, logger, readModel, work, rows, eraser };
  const sweeping = keepSweeping(rows, logger);
  const handlers = await Promise.all([runReplays(handling), runErasures(handling)]);
  return {
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
