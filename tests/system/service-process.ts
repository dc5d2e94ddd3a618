import { findFreePort } from '@mneme/local-stack';
import { eventually } from './eventually.ts';
import { type Exit, type NodeProcess, startMs, startNode } from './node-process.ts';

export const serviceNames = ['keys', 'memory-ingest', 'memory-query', 'webhook', 'gateway'] as const;
/** As many as the memory area needs of callers without credentials. */
export const memoryServices = ['memory-ingest', 'memory-query', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** One service in a process of its own, which can be killed and started again on the same port. */
export interface ServiceProcess {
  readonly name: ServiceName;
  readonly port: number;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Lets it stand still, as a machine does that sleeps or swaps; its connections stay open. */
  pause(): void;
  /** Lets it go on. */
  resume(): void;
  /** Asks it to end, as those do that run services, and resolves when it has. */
  end(): Promise<Exit>;
  /** What it has printed since it was started last. */
  output(): string;
}

/**
 * @param environment the addresses of the servers, and settings
 * @param folder of another release; this one unless given
 */
export async function createServiceProcess(
  name: ServiceName,
  environment: Readonly<Record<string, string>>,
  folder?: string,
): Promise<ServiceProcess> {
  const port = await findFreePort();
  let running: NodeProcess | undefined;
  return {
    name,
    port,
    output: () => running?.output() ?? '',
    start: async () => {
      const ports = { PORT: String(port), HEALTH_PORT: String(port) };
      const entry = `services/${name}/src/main.ts`;
      const started = startNode({ entry, ...(folder && { folder }), environment: { ...ports, ...environment } });
      running = started;
      const ended = started.exited.then(({ code }) => {
        throw new Error(`${name} ended with ${code} and had printed:\n${started.output()}`);
      });
      await Promise.race([ended, eventually(`${name} answers`, () => isReady(name, port), startMs)]);
    },
    kill: async (signal = 'SIGKILL') => {
      await running?.kill(signal);
      running = undefined;
    },
    pause: () => void process.kill(pidOf(running), 'SIGSTOP'),
    resume: () => void process.kill(pidOf(running), 'SIGCONT'),
    end: async () => {
      if (!running) throw new Error(`${name} does not run`);
      const exit = await running.kill('SIGTERM');
      running = undefined;
      return exit;
    },
  };
}

function pidOf(running: NodeProcess | undefined): number {
  if (!running) throw new Error('The service does not run');
  return running.pid;
}

/** The gateway is up when it listens; whether the services behind it answer is not its start's concern. */
async function isReady(name: ServiceName, port: number): Promise<boolean> {
  const path = name === 'gateway' ? 'healthz' : 'readyz';
  const response = await fetch(`http://127.0.0.1:${port}/${path}`);
  await response.body?.cancel();
  return response.ok;
}
