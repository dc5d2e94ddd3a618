export { connectModels } from './connect-models.ts';
export type { ModelFault, ModelFaultKind, ModelReply, ReplyMatcher } from './model-reply.ts';
export type { ModelRequest, StandInTask } from './model-request.ts';
export { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.ts';
