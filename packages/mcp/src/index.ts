export { answerMcp, type McpAnswer, type McpExchange } from './http.ts';
export type { McpServerOptions } from './server.ts';
