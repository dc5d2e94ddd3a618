import { runService } from '@mneme/service-kit';
import { gatewayConfigSchema } from './config.ts';
import { startGateway } from './start.ts';

await runService({ name: 'gateway', config: gatewayConfigSchema, env: process.env, start: startGateway });
