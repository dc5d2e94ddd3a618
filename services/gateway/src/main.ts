import {
  closeNats,
  connectNats,
  createLogger,
  createMetrics,
  createShutdown,
  loadConfig,
  runMain,
} from '@mneme/service-kit';
import { gatewayConfigSchema } from './config.ts';
import { startGateway } from './start.ts';

await runMain(async () => {
  const config = loadConfig(gatewayConfigSchema, process.env);
  const logger = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const shutdown = createShutdown({ logger });
  shutdown.onSignals();

  const connection = await connectNats({ url: config.NATS_URL, name: 'gateway', logger });
  shutdown.add('nats', () => closeNats(connection));
  const gateway = await startGateway(config, { connection, logger, metrics: createMetrics() });
  shutdown.add('gateway', () => gateway.stop());
});
