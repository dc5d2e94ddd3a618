import { eventually } from './eventually.ts';
import type { HttpClient } from './http-client.ts';
import { newPerson } from './person.ts';
import { type System, startSystem } from './start-system.ts';
import { type EventLog, isAtRest, openEventLog } from './stores/event-log.ts';

/**
 * A running system, all services in one process, that the test files of a worker use one after another. What one file
 * leaves there the next one finds, so each uses a space, users and agents of its own and breaks nothing.
 */
export interface SharedSystem extends Pick<System, 'http' | 'stack' | 'addGateway'> {
  /** Calls as a new user, in whose space nothing is stored. */
  ownSpace(): Promise<HttpClient>;
  /** @param stream the JetStream stream, `MEMORY` unless given */
  openLog(stream?: string): Promise<EventLog>;
  /** Ends what was added, and leaves the system to the next file. */
  release(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** All test files come from one address, and some send nothing but bad credentials. */
const sharedSettings = { AUTH_FAILURE_LIMIT: '100000' };
/** Other tests come in between. A start takes as much processor time as this long without work. */
const idleMs = 25_000;
const restMs = 30_000;

interface Held {
  readonly system: System;
  ending?: NodeJS.Timeout;
}

/** By their settings. Modules may be loaded anew for a file; this stays. */
const held = globalThis as { mnemeTestSystems?: Map<string, Held> };
held.mnemeTestSystems ??= new Map();
const systems = held.mnemeTestSystems;

/** The system of this worker with these settings, started if need be, when all that was sent to it is processed. */
export async function shareSystem(settings: Settings = {}): Promise<SharedSystem> {
  const environment = { ...sharedSettings, ...settings };
  const name = JSON.stringify(environment);
  const known = systems.get(name);
  clearTimeout(known?.ending);
  systems.delete(name);
  const system = (known && (await restOf(known.system))) ?? (await startSystem({ processes: 'one', environment }));
  const closing = new AsyncDisposableStack();
  return {
    http: system.http,
    stack: system.stack,
    ownSpace: async () => (await newPerson(system.http)).http,
    addGateway: async (own) => {
      const gateway = await system.addGateway(own);
      closing.defer(() => gateway.process.kill());
      return gateway;
    },
    openLog: async (stream) => {
      const log = await openEventLog(system.stack.natsUrl, stream);
      closing.defer(() => log.close());
      return log;
    },
    release: async () => {
      await closing.disposeAsync();
      const ending = setTimeout(() => {
        systems.delete(name);
        void system.stop();
      }, idleMs);
      systems.set(name, { system, ending });
    },
  };
}

/** The system, when it is ready and at rest; one that does not get there is ended. */
async function restOf(system: System): Promise<System | undefined> {
  try {
    const isReady = async () => (await system.http.get('/readyz')).status === 200;
    await eventually('the shared system is ready', isReady, restMs);
    await eventually('what was sent to it is processed', () => isAtRest(system.stack.natsUrl), restMs);
    return system;
  } catch {
    await system.stop();
    return undefined;
  }
}
