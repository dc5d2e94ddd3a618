import type { NatsConnection } from '@nats-io/nats-core';
import type { z } from 'zod';
import { closeNats, connectNats } from '../nats/connect.ts';
import { loadConfig } from './config.ts';
import { type Check, serveHealth } from './health.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createShutdown } from './shutdown.ts';

/** What every service gets from the process that runs it. */
export interface ServiceProcess {
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A running service. */
export interface RunningService {
  /** Checks of what it depends on, by name. A service with checks serves its health on a port of its own. */
  readonly checks?: Readonly<Record<string, Check>>;
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
    const logger = createLogger({ service: name, level: config.LOG_LEVEL });
    const metrics = createMetrics();
    const shutdown = createShutdown({ logger });
    shutdown.onSignals();

    const connection = await connectNats({ url: config.NATS_URL, name, logger });
    shutdown.add('nats', () => closeNats(connection));
    const service = await options.start(config, { connection, logger, metrics });
    shutdown.add(name, () => service.stop());
    if (!service.checks) return;
    const health = await serveHealth({ port: config.HEALTH_PORT ?? 0, checks: service.checks, metrics });
    shutdown.add('health', () => health.close());
  });
}

/**
 * Runs the main function of a process. When it fails, the process exits with code 1. A missing server or a wrong variable
 * is reported in one sentence, without a stack, which would tell an operator nothing.
 */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isForOperators = error instanceof Error && operatorErrors.has(error.name);
    process.stderr.write(`${isForOperators ? error.message : describeUnexpectedError(error)}\n`);
    process.exit(1);
  }
}

/** Errors whose message tells an operator all there is to know. */
const operatorErrors: ReadonlySet<string> = new Set([
  'ConfigError',
  'ListenError',
  'NatsUnreachableError',
  'StoreUnfitError',
  'StoreUnreachableError',
]);

function describeUnexpectedError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
