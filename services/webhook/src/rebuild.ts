import type { Logger } from '@mneme/service-kit';
import type { WebhookTokensBucket } from './buckets/webhook-tokens.ts';
import type { ProjectReadModel } from './project-rows/projection.ts';
import type { WebhookReadModel } from './webhook-rows/projection.ts';

export interface RebuildDeps {
  readonly readModel: WebhookReadModel;
  readonly projects: ProjectReadModel;
  readonly tokens: WebhookTokensBucket;
  readonly logger: Logger;
}

/** Rebuilds the read models and the bucket from the log; the present ones answer meanwhile. */
export async function rebuild({ readModel, projects, tokens, logger }: RebuildDeps) {
  const { records, changed } = await tokens.rebuild();
  const rebuilt = {
    webhookTokens: { records, changed },
    projects: await projects.rebuild(),
    readModel: await readModel.rebuild(),
  };
  logger.info(rebuilt, 'Rebuilt the read models and the bucket from the log');
  return rebuilt;
}
