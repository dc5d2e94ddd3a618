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
import type { Webhooks } from './deps.ts';
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

type Given = Pick<Webhooks, 'store' | 'policy' | 'sealing' | 'readSlots' | 'itemsPerUser' | 'clock' | 'newToken'>;

export interface WebhookDeps extends OpenedService, Given {
  /** The log of spaces and projects. */
  readonly access: EventStore<AccessEvent>;
  readonly payloads: PayloadReader;
  /** Called for each delivery of an event that only a newer release knows. */
  readonly onUnknownType?: (type: string, handler: string) => void;
}

/** Answers requests about webhooks, deliveries and tables, processes deliveries, and keeps the read models of their events. */
export async function createWebhooks(deps: WebhookDeps) {
  const { connection, client, db, service, policy, sealing, clock, newToken, readSlots, itemsPerUser, logger } = deps;
  const stream = webhookStream.name;
  const store = newestStore(deps.store);
  const aggregates = createAggregates(connection);
  const eraser = openEraser(connection, stream);
  const [readModel, projects, processing, tokens] = await Promise.all([
    ReadModel.start(deps, webhookProjection(client, db, aggregates)),
    ReadModel.start(deps, projectProjection(client, db)),
    ReadModel.start(deps, createProcessing({ ...deps, store, eraser, aggregates })),
    startWebhookTokensBucket(deps),
  ]);
  const rows = () => readModel.contents();
  const head = () => store.head();
  const webhookStates = createStateCache({ sizeOf: sizeOfWebhook });
  const webhooks: Webhooks = {
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
      progress: readAfterWrite({ stream: accessStream.name, readModel: projects, buckets: [], store: deps.access }),
    },
  };
  serveWebhooks(service, webhooks, connection);
  serveTables(service, webhooks);
  const rebuild = async () => {
    const rebuilt = {
      webhookTokens: await tokens.rebuild(),
      projects: await projects.rebuild(),
      readModel: await readModel.rebuild(),
    };
    logger.info(rebuilt, 'Rebuilt the read models and the bucket from the log');
    return rebuilt;
  };
  deps.operators.serve(webhook.rebuild, oneAtATime(rebuild));
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
    onUnknownType: deps.onUnknownType,
  });
  const readModels = [readModel, projects, processing, tokens];
  return {
    readModels,
    stop: async () => {
      await Promise.all([removing, ...reactors].map((running) => running.stop()));
      await processing.stop();
      await Promise.all([readModel.stop(), projects.stop(), tokens.stop(), deps.payloads.close()]);
    },
  };
}
