export * from './access.ts';
export * from './endpoint.ts';
export { keys } from './endpoints/keys.ts';
export * from './endpoints/read-models.ts';
export { type RowOfTable, webhook } from './endpoints/webhook.ts';
export * from './errors.ts';
export * from './events/access.ts';
export * from './events/definition.ts';
export * from './events/ids.ts';
export * from './events/webhooks.ts';
export { maxNumber } from './http/access-fields.ts';
export * from './http/access-replies.ts';
export * from './http/access-requests.ts';
export { accessRoutes } from './http/access-routes.ts';
export { normaliseDateTime } from './http/date-time.ts';
export * from './http/errors.ts';
export { integerMessage, isUuid, maxAgentIdLength, maxDocumentIdLength } from './http/fields.ts';
export {
  type Audience,
  type Demand,
  type Method,
  type Route,
  type RouteInput,
  type RouteReply,
  scopeOf,
} from './http/route.ts';
export { systemRoutes } from './http/system-routes.ts';
export { tableRoutes } from './http/table-routes.ts';
export { webhookIntake } from './http/webhook-intake.ts';
export * from './http/webhook-replies.ts';
export * from './http/webhook-requests.ts';
export { webhookRoutes } from './http/webhook-routes.ts';
export { webhookStreams } from './http/webhook-streams.ts';
export * from './memory/embedding.ts';
export * from './memory/events.ts';
export * from './memory/ingest-endpoints.ts';
export * from './memory/query-endpoints.ts';
export * from './memory/replies.ts';
export * from './memory/requests.ts';
export { memoryRoutes } from './memory/routes.ts';
export * from './memory/schemas.ts';
export * from './memory/thinking.ts';
export { createOpenApi, type RouteTable } from './openapi.ts';
export * from './subjects.ts';
export * from './webhooks.ts';
