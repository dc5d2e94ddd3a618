export { DomainError, defineErrors, type Failure, type ServiceErrors } from './errors/define-errors.ts';
export { isLogged } from './errors/error-replies.ts';
export { isUnavailable } from './errors/unavailable.ts';
export { type NatsAddress, natsAddress } from './nats/address.ts';
export {
  type ConnectNatsOptions,
  closeNats,
  connectNats,
  type Link,
  NatsUnreachableError,
  watchLink,
} from './nats/connect.ts';
export {
  type AccessPolicy,
  accessPolicy,
  ConfigError,
  commaList,
  loadConfig,
  logLevel,
  mongodbUrl,
  natsUrl,
  secretsKey,
  serviceSettings,
  streamReplicas,
  wholeNumber,
} from './process/config.ts';
export { type Check, type Readiness, runChecks, serveHealth } from './process/health.ts';
export { createLogger, type Logger, withoutCredentials } from './process/logger.ts';
export {
  countUnknownTypes,
  createMetrics,
  durationBuckets,
  type InstrumentOptions,
  type Metrics,
} from './process/metrics.ts';
export { type RunningService, runMain, runService, type ServiceProcess } from './process/run-service.ts';
export { createShutdown, type Shutdown, type ShutdownOptions, settlesWithin } from './process/shutdown.ts';
export { type Client, createClient, type RequestOptions } from './request-reply/client.ts';
export { createSealing, type Sealing, UnsealError } from './sealing.ts';
export { pingService } from './service/discovery.ts';
export { onePerCommand } from './service/one-per-command.ts';
export type { RequestContext, RequestHandler } from './service/request.ts';
export { type Service, type ServiceOptions, startService, version } from './service/service.ts';
