import {
  closeNats,
  connectNats,
  createLogger,
  createMetrics,
  createShutdown,
  loadConfig,
  runMain,
  serveHealth,
} from '@mneme/service-kit';
import { memoryQueryConfigSchema } from './config.ts';
import { startMemoryQuery } from './start.ts';

await runMain(async () => {
  const config = loadConfig(memoryQueryConfigSchema, process.env);
  const logger = createLogger({ service: 'memory-query', level: config.LOG_LEVEL });
  const metrics = createMetrics();
  const shutdown = createShutdown({ logger });
  shutdown.onSignals();

  const connection = await connectNats({ url: config.NATS_URL, name: 'memory-query', logger });
  shutdown.add('nats', () => closeNats(connection));
  const query = await startMemoryQuery(config, { connection, logger, metrics });
  shutdown.add('memory-query', () => query.stop());
  const health = await serveHealth({ port: config.HEALTH_PORT, checks: query.checks, metrics });
  shutdown.add('health', () => health.close());
});
