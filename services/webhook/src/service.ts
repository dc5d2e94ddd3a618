import {
  type AccessEvent,
  accessStream,
  webhook,
  webhookStream,
  webhookSubjects,
  webhookTokensBucket,
} from '@mneme/contracts';
import {
  createBucketRoom,
  createIds,
  createStateCache,
  type EventStore,
  newestStore,
  openEraser,
} from '@mneme/event-store';
import { type OpenedService, ReadModel, readAfterWrite } from '@mneme/read-models';
import { oneAtATime } from '@mneme/workers/once';
import { createAggregates } from './aggregates.ts';
import { startWebhookTokensBucket } from './buckets/webhook-tokens.ts';
import { createDeliveryWait } from './delivery/delivery-wait.ts';
import type { WebhookDeps } from './deps.ts';
import { serveTables, serveWebhooks } from './endpoints.ts';
import type { PayloadReader } from './flatten/payload-columns.ts';
import { createProcessing } from './processing/processing.ts';
import { projectProjection } from './project-rows/projection.ts';
import { runReactors } from './reactors/run-reactors.ts';
import { tableNamesBytes } from './table-names/decider.ts';
import { sizeOfWebhook } from './webhook/decider.ts';
import { createTokenOpener } from './webhook/open-token.ts';
import { keepRemovingPendingDeletions } from './webhook-rows/pending-deletions.ts';
import { webhookProjection } from './webhook-rows/projection.ts';

type Given = Pick<WebhookDeps, 'store' | 'policy' | 'sealing' | 'readSlots' | 'itemsPerUser' | 'clock' | 'newToken'>;

export interface WebhookOptions extends OpenedService, Given {
  /** The log of spaces and projects. */
  readonly access: EventStore<AccessEvent>;
  readonly payloads: PayloadReader;
  /** Called for each delivery of an event that only a newer release knows. */
  readonly onUnknownType?: (type: string, handler: string) => void;
}

/** Answers requests about webhooks, deliveries and tables, processes deliveries, and keeps the read models of their events. */
export async function createWebhooks(options: WebhookOptions) {
  const { connection, client, db, service, policy, sealing, clock, newToken, readSlots, itemsPerUser, logger } =
    options;
  const stream = webhookStream.name;
  const store = newestStore(options.store);
  const aggregates = createAggregates(connection);
  const eraser = openEraser(connection, stream);
  const [readModel, projects, processing, tokens] = await Promise.all([
    ReadModel.start(options, webhookProjection(client, db, aggregates)),
    ReadModel.start(options, projectProjection(client, db)),
    ReadModel.start(options, createProcessing({ ...options, store, eraser, aggregates })),
    startWebhookTokensBucket(options),
  ]);
  const rows = () => readModel.contents();
  const head = () => store.head();
  const webhookStates = createStateCache({ sizeOf: sizeOfWebhook });
  const deps: WebhookDeps = {
    store,
    policy,
    sealing,
    openToken: createTokenOpener(sealing, logger),
    clock,
    newToken,
    rows,
    readSlots,
    itemsPerUser,
    aggregates,
    ids: createIds({ store, subjects: webhookSubjects }),
    webhookStates,
    tableNames: createStateCache({ sizeOf: tableNamesBytes }),
    tokenRoom: createBucketRoom(connection, webhookTokensBucket.name, 'webhooks'),
    progress: readAfterWrite({ stream, readModel, buckets: [tokens], store, aggregateOf: aggregates.ofSubject }),
    deliveryWait: createDeliveryWait({
      processing,
      readModel,
      head,
      lastDelivery: () => store.head(webhookSubjects.allDeliveries),
    }),
    projects: {
      rows: () => projects.contents(),
      progress: readAfterWrite({ stream: accessStream.name, readModel: projects, buckets: [], store: options.access }),
    },
  };
  serveWebhooks(service, deps, connection);
  serveTables(service, deps);
  const rebuild = async () => {
    const rebuilt = {
      webhookTokens: await tokens.rebuild(),
      projects: await projects.rebuild(),
      readModel: await readModel.rebuild(),
    };
    logger.info(rebuilt, 'Rebuilt the read models and the bucket from the log');
    return rebuilt;
  };
  options.operators.serve(webhook.rebuild, oneAtATime(rebuild));
  const removing = keepRemovingPendingDeletions(() => readModel.allContents(), logger);
  const reactors = await runReactors({
    store,
    webhookStates,
    connection,
    logger,
    readModel,
    processing,
    rows,
    eraser,
    aggregates,
    onUnknownType: options.onUnknownType,
  });
  const readModels = [readModel, projects, processing, tokens];
  return {
    readModels,
    stop: async () => {
      await Promise.all([removing, ...reactors].map((running) => running.stop()));
      await processing.stop();
      await Promise.all([readModel.stop(), projects.stop(), tokens.stop(), options.payloads.close()]);
    },
  };
}
