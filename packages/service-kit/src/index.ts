import { readEscapedNames } from './process/json-names.ts';

export { busy, isLogged, unexplained } from './errors/error-replies.ts';
export { messageOf } from './errors/message-of.ts';
export { isNatsFull, natsFullMessage } from './errors/nats-full.ts';
export { saidByMongo } from './errors/shown-message.ts';
export { isUnavailable } from './errors/unavailable.ts';
export { natsAddress } from './nats/address.ts';
export { closeNats, connectNats, watchLink } from './nats/connect.ts';
export {
  type AccessPolicy,
  accessPolicy,
  commaList,
  itemsPerUser,
  loadConfig,
  logLevel,
  mongodbUrl,
  natsMaxFileStore,
  natsUrl,
  secretsKey,
  serviceSettings,
  streamReplicas,
  wholeNumber,
} from './process/config.ts';
export { createMetrics } from './process/create-metrics.ts';
export { GaugeSeries, type GaugeValue } from './process/gauge-series.ts';
export { giveMemoryBackWhenIdle } from './process/give-memory-back.ts';
export { type Check, type Readiness, runChecks, stoppingReadiness } from './process/health.ts';
export { startListening } from './process/listen.ts';
export { createLogStream } from './process/log-stream.ts';
export { createLogger, type Logger, withoutCredentials } from './process/logger.ts';
export { measureEvery } from './process/measure-every.ts';
export { measureReadiness } from './process/measure-readiness.ts';
export { countUnknownTypes, type Metrics } from './process/metrics.ts';
export { createShutdown, type Shutdown, settlesWithin } from './process/shutdown.ts';
export { endOnUncaughtErrors } from './process/uncaught-errors.ts';
export { version } from './process/version.ts';
export { type Client, createClient, isOutOfReach, wasNotReceived } from './request-reply/client.ts';
export { ConnectionLostError } from './request-reply/inbox.ts';
export { type RunningService, runService, type ServiceProcess } from './run-service.ts';
export { createSealing, openBytes, type Sealing, sealBytes, UnsealError } from './sealing.ts';
export { agentCheck, agentNotAllowed, defineErrors, type Failure } from './service/define-errors.ts';
export {
  type FoundService,
  findInstances,
  isAnsweredByOther,
  lookForService,
  pingService,
} from './service/discovery.ts';
export { onePerCommand } from './service/one-per-command.ts';
export type { RequestContext, RequestHandler } from './service/request.ts';
export { type Service, startService } from './service/service.ts';

// Whatever process loads this reads JSON of others.
readEscapedNames();
