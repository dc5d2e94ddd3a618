import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { eventually } from './eventually.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { startMs, startNode } from './node-process.ts';
import { createServiceProcess, type ServiceName, type ServiceProcess, serviceNames } from './service-process.ts';
import { jwtSecret, secretsKey } from './tokens.ts';

export interface SystemOptions {
  /** `one` runs all services in one process, which starts faster; `each` in a process of its own, to be killed alone. */
  readonly processes: 'one' | 'each';
  /** Those that are started, of `each`; all unless given. */
  readonly services?: readonly ServiceName[];
  /** Settings of the services. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The whole of Mneme on servers of its own. */
export interface System {
  readonly http: HttpClient;
  readonly stack: Stack;
  /** The service's process; throws when all services run in one. */
  service(name: ServiceName): ServiceProcess;
  /** Kills all services and starts them again, on the same address. @param meanwhile done while none of them runs */
  restartServices(meanwhile?: () => Promise<void>): Promise<void>;
  /** Starts another gateway on the same servers, with settings of its own. */
  addGateway(environment?: Settings): Promise<AddedGateway>;
  /** Starts a service once more, beside the one that there is. */
  addService(name: ServiceName, environment?: Settings): Promise<ServiceProcess>;
  /** Ends everything and removes its data. */
  stop(): Promise<void>;
}

export interface AddedGateway {
  readonly http: HttpClient;
  readonly process: ServiceProcess;
}

type Settings = Readonly<Record<string, string>>;

/** Starts the system; when that fails, nothing is left running. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const closing = new AsyncDisposableStack();
  try {
    const stack = await startTestStack({ servers: ['nats', 'mongod', 'qdrant'] });
    closing.defer(() => stack.stop());
    const secrets = { JWT_SECRET: jwtSecret, SECRETS_KEY: secretsKey };
    // Most tests are about something else than meaning, and start faster with the model that compares words.
    const fast = { EMBEDDING_MODEL: 'builtin:words', LOG_LEVEL: 'warn' };
    const settings = { ...stack.settings, ...secrets, ...fast, ...options.environment };
    const services = await startServices(options, settings, closing);
    const addService = async (name: ServiceName, own: Settings = {}) => {
      const process = await createServiceProcess(name, { ...settings, ...own });
      closing.defer(() => process.kill());
      await process.start();
      return process;
    };
    const addGateway = async (own: Settings = {}) => {
      const process = await addService('gateway', own);
      return { process, http: createHttpClient(`http://127.0.0.1:${process.port}`) };
    };
    return { ...services, stack, addGateway, addService, stop: () => closing.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

type Services = Pick<System, 'http' | 'service' | 'restartServices'>;

async function startServices(
  { processes, services = serviceNames }: SystemOptions,
  settings: Settings,
  closing: AsyncDisposableStack,
): Promise<Services> {
  const started = await (processes === 'one'
    ? startTogether(settings, closing)
    : startEach(services, settings, closing));
  const isLeftOut = (check: string) => serviceNames.some((name) => name === check && !services.includes(name));
  const isReady = async () => {
    const { body } = await started.http.get<{ checks: Record<string, string> }>('/readyz');
    return Object.entries(body.checks).every(([check, state]) => state === 'ok' || isLeftOut(check));
  };
  await eventually('the system is ready', isReady, startMs);
  return started;
}

async function startTogether(settings: Settings, closing: AsyncDisposableStack): Promise<Services> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mneme-test-'));
  closing.defer(() => rm(dataDir, { recursive: true, force: true }));
  const start = async (port: string) => {
    const environment = { ...settings, DATA_DIR: dataDir, PORT: port };
    const started = startNode({ entry: 'services/standalone/src/main.ts', environment });
    closing.defer(async () => void (await started.kill()));
    const [, url = ''] = await started.printed(/Mneme is ready: (\S+)/, startMs);
    return { started, url };
  };
  let { started, url } = await start('0');
  return {
    http: createHttpClient(url),
    service: () => {
      throw new Error('All services run in one process');
    },
    restartServices: async (meanwhile) => {
      await started.kill();
      await meanwhile?.();
      ({ started } = await start(new URL(url).port));
    },
  };
}

async function startEach(
  names: readonly ServiceName[],
  settings: Settings,
  closing: AsyncDisposableStack,
): Promise<Services> {
  const services = await Promise.all(names.map((name) => createServiceProcess(name, settings)));
  closing.defer(async () => void (await Promise.all(services.map((service) => service.kill()))));
  const service = (name: ServiceName) => services.find((each) => each.name === name) as ServiceProcess;
  const startAll = () => Promise.all(services.map((each) => each.start()));
  await startAll();
  return {
    http: createHttpClient(`http://127.0.0.1:${service('gateway').port}`),
    service,
    restartServices: async (meanwhile) => {
      await Promise.all(services.map((each) => each.kill()));
      await meanwhile?.();
      await startAll();
    },
  };
}
