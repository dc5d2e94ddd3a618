import { closeNats, type Logger, settlesWithin } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

interface Stoppable {
  stop(): Promise<void>;
}

/** How the services of one process end. */
export interface StopSequence {
  addService(name: string, service: Stoppable): void;
  addGateway(gateway: Stoppable): void;
  addConnection(connection: NatsConnection): void;
  /** Ends the gateway, then the services that it asks, then their connections. */
  close(): Promise<void>;
}

/**
 * How long the gateway may take to answer what it has begun, the services to end what they work on, and connections to
 * send what is left, in milliseconds. The servers end after them, within 8 s, and all of it within 20 s: a server that
 * is killed because time is up has to repair its data at the next start. What is cut off is done again from the log.
 */
const stageTimeoutMs = { gateway: 4_000, services: 4_000, connections: 1_000 };
type StageTimeouts = Readonly<typeof stageTimeoutMs>;

/** @param timeoutMs of each stage, other than usual */
export function createStopSequence(logger: Logger, timeoutMs: StageTimeouts = stageTimeoutMs): StopSequence {
  const stages = { gateway: [] as Step[], services: [] as Step[], connections: [] as Step[] };

  return {
    addService: (name, service) => void stages.services.push({ name, run: () => service.stop() }),
    addGateway: (gateway) => void stages.gateway.push({ name: 'gateway', run: () => gateway.stop() }),
    addConnection: (connection) =>
      void stages.connections.push({ name: 'a connection to NATS', run: () => closeNats(connection) }),
    close: async () => {
      for (const stage of ['gateway', 'services', 'connections'] as const) {
        await Promise.all(stages[stage].map((step) => runStep(step, timeoutMs[stage], logger)));
      }
    },
  };
}

interface Step {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Never throws: whatever happens to one service, the others and the servers have to be ended. */
async function runStep({ name, run }: Step, timeoutMs: number, logger: Logger): Promise<void> {
  try {
    const hasEnded = await settlesWithin(run(), timeoutMs);
    if (!hasEnded) logger.warn(`${name} did not stop within ${timeoutMs} ms; stopping without it`);
  } catch (error) {
    logger.error({ err: error }, `Could not close ${name}`);
  }
}
