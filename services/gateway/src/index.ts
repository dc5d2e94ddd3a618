export { checkTokenSettings, gatewayConfigSchema } from './config.ts';
export { assertFree } from './http/server.ts';
export { type RunningGateway, startGateway } from './start.ts';
