export { type CallerReply, callerRoutes } from './access/caller-routes.ts';
export { keys } from './access/endpoints.ts';
export * from './access/events.ts';
export * from './access/replies.ts';
export * from './access/requests.ts';
export { accessRoutes } from './access/routes.ts';
export * from './access/schemas.ts';
export { apiRoutes } from './api-routes.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './events/definition.ts';
export * from './events/ids.ts';
export { dateTimeForm, normaliseDateTime } from './http/date-time.ts';
export * from './http/errors.ts';
export {
  dateTime,
  integerMessage,
  isUuid,
  maxAgentIdLength,
  maxBackgroundBytes,
  maxBodyValues,
  maxDocumentIdLength,
  maxThinkingBudget,
} from './http/fields.ts';
export {
  type Demand,
  isRepeatable,
  type MemoryScope,
  type Route,
  type RouteInput,
  type RouteReply,
  scopeOf,
  type UnknownFields,
  unknownFieldsOf,
} from './http/route.ts';
export { systemRoutes } from './http/system-routes.ts';
export * from './memory/embedding.ts';
export * from './memory/events.ts';
export * from './memory/graph.ts';
export * from './memory/ingest-endpoints.ts';
export * from './memory/metadata.ts';
export * from './memory/query-endpoints.ts';
export * from './memory/replies.ts';
export * from './memory/requests.ts';
export { memoryRoutes } from './memory/routes.ts';
export * from './memory/schemas.ts';
export * from './memory/searching.ts';
export * from './memory/thinking.ts';
export * from './memory/unit-reply.ts';
export { createOpenApi } from './openapi.ts';
export * from './operators/replies.ts';
export { operatorRoutes } from './operators/routes.ts';
export * from './read-models.ts';
export { gateway, signInPath } from './sessions/endpoints.ts';
export * from './sessions/replies.ts';
export * from './sessions/requests.ts';
export { sessionRoutes } from './sessions/routes.ts';
export * from './subjects.ts';
export { type RowOfTable, webhook } from './webhooks/endpoints.ts';
export * from './webhooks/events.ts';
export * from './webhooks/replies.ts';
export * from './webhooks/requests.ts';
export { webhookIntake, webhookRoutes, webhookStreams } from './webhooks/routes.ts';
export * from './webhooks/schemas.ts';
export { tableRoutes } from './webhooks/table-routes.ts';
