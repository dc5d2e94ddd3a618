export { checkTokenSettings, gatewayConfigSchema } from './config.ts';
export { type RunningGateway, startGateway } from './start.ts';
