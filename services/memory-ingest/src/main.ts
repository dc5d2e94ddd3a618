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
import { memoryIngestConfigSchema } from './config.ts';
import { startMemoryIngest } from './start.ts';

await runMain(async () => {
  const config = loadConfig(memoryIngestConfigSchema, process.env);
  const logger = createLogger({ service: 'memory-ingest', level: config.LOG_LEVEL });
  const metrics = createMetrics();
  const shutdown = createShutdown({ logger });
  shutdown.onSignals();

  const connection = await connectNats({ url: config.NATS_URL, name: 'memory-ingest', logger });
  shutdown.add('nats', () => closeNats(connection));
  const ingest = await startMemoryIngest(config, { connection, logger, metrics });
  shutdown.add('memory-ingest', () => ingest.stop());
  const health = await serveHealth({ port: config.HEALTH_PORT, checks: ingest.checks, metrics });
  shutdown.add('health', () => health.close());
});
