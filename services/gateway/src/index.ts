export { checkTokenSettings, gatewayConfigSchema } from './config.ts';
export { assertAddressFree } from './http/server.ts';
export { type RunningGateway, startGateway } from './start.ts';
