export { keys } from './access/endpoints.ts';
export * from './access/events.ts';
export * from './access/replies.ts';
export * from './access/requests.ts';
export { accessRoutes } from './access/routes.ts';
export * from './access/schemas.ts';
export { EmbeddingModelMismatchError } from './embedding-model.ts';
export * from './endpoint.ts';
export * from './endpoints/memory-ingest.ts';
export * from './endpoints/memory-query.ts';
export * from './endpoints/read-models.ts';
export { maxBearingFacts } from './endpoints/thoughts.ts';
export * from './errors.ts';
export * from './events/definition.ts';
export { type EmbeddedText, embeddedIn, withVectors } from './events/embedded.ts';
export * from './events/embedding.ts';
export * from './events/ids.ts';
export * from './events/memory.ts';
export { type RecordedOpinion, recordedOpinionSchema } from './events/thought.ts';
export * from './http/batch-replies.ts';
export { normaliseDateTime } from './http/date-time.ts';
export * from './http/errors.ts';
export { integerMessage, isUuid, maxAgentIdLength, maxDocumentIdLength } from './http/fields.ts';
export { type Graph, graphSchema } from './http/graph-schemas.ts';
export * from './http/memory-replies.ts';
export * from './http/memory-requests.ts';
export { memoryRoutes } from './http/memory-routes.ts';
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
export * from './http/thought-schemas.ts';
export * from './memory.ts';
export { createOpenApi, type RouteTable } from './openapi.ts';
export * from './subjects.ts';
export { type RowOfTable, webhook } from './webhooks/endpoints.ts';
export * from './webhooks/events.ts';
export * from './webhooks/replies.ts';
export * from './webhooks/requests.ts';
export { webhookIntake, webhookRoutes, webhookStreams } from './webhooks/routes.ts';
export * from './webhooks/schemas.ts';
export { tableRoutes } from './webhooks/table-routes.ts';
