export { checkTokenSettings, type GatewayConfig, gatewayConfigSchema } from './config.ts';
export { createGatewayService, type Gateway, type GatewayDeps } from './service.ts';
export { type RunningGateway, startGateway } from './start.ts';
