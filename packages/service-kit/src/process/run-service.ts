import type { NatsConnection } from '@nats-io/nats-core';
import type { z } from 'zod';
import { closeNats, connectNats } from '../nats/connect.ts';
import { loadConfig } from './config.ts';
import { type Check, serveHealth } from './health.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { runMain } from './run-main.ts';
import { createShutdown } from './shutdown.ts';

/** What every service gets from the process that runs it. */
export interface ServiceProcess {
  readonly connection: NatsConnection;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A service at work. */
export interface RunningService {
  /** What it needs, by name. A service with checks has its health served on a port of its own. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Ends it; the connection stays open. */
  stop(): Promise<void>;
}

/** What the environment of every service holds. */
interface CommonConfig {
  readonly NATS_URL: string;
  readonly LOG_LEVEL: string;
  readonly HEALTH_PORT?: number;
}

/**
 * Runs one service in a process of its own, from its configuration to its end on a signal. When it cannot start, the
 * process ends with code 1 and the reason in one sentence.
 */
export function runService<Schema extends z.ZodObject>(options: {
  readonly name: string;
  readonly config: Schema;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly start: (config: Readonly<z.output<Schema>>, process: ServiceProcess) => Promise<RunningService>;
}): Promise<void> {
  const { name } = options;
  return runMain(async () => {
    const config = loadConfig(options.config, options.env) as Readonly<z.output<Schema>> & CommonConfig;
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
