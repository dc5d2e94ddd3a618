import { eventually } from '../system/eventually.ts';
import { createHttpClient, type HttpClient } from '../system/http-client.ts';
import { startMs } from '../system/node-process.ts';
import {
  createServiceProcess,
  type ServiceName,
  type ServiceProcess,
  serviceNames,
} from '../system/service-process.ts';
import { jwtSecret, secretsKey } from '../system/tokens.ts';
import { type Servers, startServers } from './servers.ts';

/** Two instances of each service on servers of which each kind but Qdrant has three. */
export interface ClusterSystem {
  readonly servers: Servers;
  /** One for each gateway. */
  readonly gateways: readonly [HttpClient, HttpClient];
  readonly instances: readonly ServiceProcess[];
  stop(): Promise<void>;
}

const settings = {
  STREAM_REPLICAS: '3',
  JWT_SECRET: jwtSecret,
  SECRETS_KEY: secretsKey,
  OPERATORS: '1',
  EMBEDDING_MODEL: 'builtin:words',
  LOG_LEVEL: 'warn',
};

/** Starts all of it; when that fails, nothing is left running. */
export async function startClusterSystem(): Promise<ClusterSystem> {
  const closing = new AsyncDisposableStack();
  try {
    const servers = await startServers(closing);
    const environment = { ...settings, ...servers.settings };
    // All at once, as on a machine that comes up: each pair makes the same streams and buckets.
    const instances = await Promise.all(
      [...serviceNames, ...serviceNames].map((name) => startInstance(name, environment, closing)),
    );
    const [first, second] = instances
      .filter(({ name }) => name === 'gateway')
      .map(({ port }) => createHttpClient(`http://127.0.0.1:${port}`));
    if (!first || !second) throw new Error('There are not two gateways');
    const isReady = async () =>
      (await Promise.all([first, second].map((http) => http.get('/readyz')))).every(({ status }) => status === 200);
    await eventually('the system is ready', isReady, startMs);
    return { servers, gateways: [first, second], instances, stop: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

async function startInstance(
  name: ServiceName,
  environment: Readonly<Record<string, string>>,
  closing: AsyncDisposableStack,
): Promise<ServiceProcess> {
  const process = await createServiceProcess(name, environment);
  closing.defer(() => process.kill());
  await process.start();
  return process;
}
