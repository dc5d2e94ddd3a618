import { resolve } from 'node:path';
import { readAddress } from '@mneme/local-stack';
import { type OperatedSystem, operatedSystem } from '@mneme/read-models';
import { closeNats, connectNats, createClient, createLogger, loadConfig, logLevel, natsUrl } from '@mneme/service-kit';
import { z } from 'zod';

const runningConfigSchema = z.object({
  DATA_DIR: z.string().default('.data'),
  NATS_URL: natsUrl.unwrap().optional(),
  LOG_LEVEL: logLevel.unwrap().default('error'),
});

/**
 * Lets a command work with the system of `NATS_URL`, else with that of the local start on `DATA_DIR`.
 * @throws Error when nothing runs there
 */
export async function withRunningSystem<T>(work: (system: OperatedSystem) => Promise<T>): Promise<T> {
  const config = loadConfig(runningConfigSchema, process.env);
  const dataDir = dataDirOf(config);
  const url = config.NATS_URL ?? readAddress(dataDir, 'nats-url');
  if (url === undefined) {
    throw new Error(`Nothing runs on ${dataDir}; start it, or set NATS_URL to the NATS of a system that runs.`);
  }
  const logger = createLogger({ service: 'mneme', level: config.LOG_LEVEL });
  const connection = await connectNats({ url, name: 'mneme', logger });
  const client = createClient({ connection });
  try {
    return await work(operatedSystem(connection, client));
  } finally {
    client.close();
    await closeNats(connection);
  }
}

/** Where the local start that runs on `DATA_DIR` listens; undefined when `NATS_URL` names another system. */
export function localUrl(): string | undefined {
  const config = loadConfig(runningConfigSchema, process.env);
  return config.NATS_URL === undefined ? readAddress(dataDirOf(config), 'gateway-url') : undefined;
}

function dataDirOf({ DATA_DIR }: Pick<z.output<typeof runningConfigSchema>, 'DATA_DIR'>): string {
  return resolve(process.env.INIT_CWD ?? '.', DATA_DIR);
}
