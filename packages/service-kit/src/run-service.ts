import { startTracing } from '@mneme/telemetry';
import type { NatsConnection } from '@nats-io/nats-core';
import type { z } from 'zod';
import { closeNats, connectNats } from './nats/connect.ts';
import { loadConfig } from './process/config.ts';
import { createMetrics } from './process/create-metrics.ts';
import { giveMemoryBackWhenIdle } from './process/give-memory-back.ts';
import { assertHealthPortFree, type Check, type Checks, type Readiness, serveHealth } from './process/health.ts';
import { createLogger, type Logger } from './process/logger.ts';
import { measureReadiness } from './process/measure-readiness.ts';
import type { Metrics } from './process/metrics.ts';
import { createShutdown } from './process/shutdown.ts';
import { endOnUncaughtErrors, printAndEnd } from './process/uncaught-errors.ts';
import { version } from './process/version.ts';

/** What every service gets from the process that runs it. */
export interface ServiceProcess {
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A running service. */
export interface RunningService {
  /** Checks of what it depends on, by name. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Runs its checks, where it does so itself. */
  ready?(): Promise<Readiness>;
  /** The port at which it serves its health itself; other services get one, and this one if `HEALTH_PORT` is another. */
  readonly port?: number;
  /** Resolves, with the reason for the log, when it cannot go on and only a new process can. */
  readonly failed?: Promise<string>;
  /** Stops the service; the connection stays open. */
  stop(): Promise<void>;
}

interface ServiceConfig {
  readonly NATS_URL: string;
  readonly LOG_LEVEL: string;
  readonly HEALTH_PORT?: number;
}

/**
 * Runs one service in a process of its own, from its configuration to its shutdown on a signal. When the service cannot
 * start, the process exits with code 1 and the reason in one sentence.
 */
export function runService<Schema extends z.ZodObject>(options: {
  readonly name: string;
  readonly config: Schema;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly start: (config: Readonly<z.output<Schema>>, process: ServiceProcess) => Promise<RunningService>;
}): Promise<void> {
  const { name } = options;
  return runMain(async () => {
    const config = loadConfig(options.config, options.env) as Readonly<z.output<Schema>> & ServiceConfig;
    const { HEALTH_PORT: port = 0 } = config;
    await assertHealthPortFree(port);
    const logger = createLogger({ service: name, level: config.LOG_LEVEL });
    endOnUncaughtErrors(logger);
    giveMemoryBackWhenIdle({ logger });
    const metrics = createMetrics();
    const shutdown = createShutdown(logger);
    shutdown.onSignals();
    const tracing = await startTracing({ service: name, version, env: options.env, logger });
    if (tracing) shutdown.add('tracing', () => tracing.stop());

    const connection = await connectNats({ url: config.NATS_URL, name, logger });
    shutdown.add('nats', () => closeNats(connection));
    // It reconnects for as long as it can. Closed, it would leave a process that runs and does nothing.
    void connection.closed().then(() => shutdown.fail('The connection to NATS is closed for good'));
    const service = await options.start(config, { connection, logger, metrics });
    const checks: Checks = service.ready ?? service.checks ?? {};
    const measuring = measureReadiness(metrics, name, checks);
    if (service.port === undefined || (port > 0 && port !== service.port)) {
      const { isClosing: isStopping } = shutdown;
      const health = await serveHealth({ port, checks, metrics, isStopping });
      // Before the service, so that it is closed after it: while the service ends, its health says so.
      shutdown.add('health', () => health.close());
    }
    shutdown.add(name, () => service.stop());
    void service.failed?.then((reason) => shutdown.fail(reason));
    shutdown.add('the measuring of readiness', () => measuring.stop());
  });
}

/**
 * Runs the main function of a process. When it fails, the process exits with code 1. A missing server or a wrong variable
 * is reported in one sentence, without a stack, which would tell an operator nothing.
 */
async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isForOperators = error instanceof Error && operatorErrors.has(error.name);
    if (!isForOperators) printAndEnd(error);
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Errors whose message tells an operator all there is to know. */
const operatorErrors: ReadonlySet<string> = new Set([
  'ConfigError',
  'EventLogUnavailableError',
  'ListenError',
  'NatsUnreachableError',
  'StoreUnfitError',
  'StoreUnreachableError',
  'StreamMissingError',
  'StreamUnfitError',
  'TooFewCopiesError',
]);
