import { callerRoutes } from './access/caller-routes.ts';
import { accessRoutes } from './access/routes.ts';
import { memoryRoutes } from './memory/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { webhookRoutes, webhookStreams } from './webhooks/routes.ts';
import { tableRoutes } from './webhooks/table-routes.ts';

/** The routes that programs call with the client; senders of webhooks and monitoring have others. */
export const apiRoutes = {
  ...memoryRoutes,
  ...accessRoutes,
  ...sessionRoutes,
  ...callerRoutes,
  ...webhookRoutes,
  ...tableRoutes,
  ...webhookStreams,
  ...operatorRoutes,
};
