import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pTimeout from 'p-timeout';
import { startListening } from './listen.ts';
import type { Metrics } from './metrics.ts';

/**
 * Checks one thing that a service depends on. True or undefined means that it answers, false or a throw that it does not,
 * and a string, or the throw of a `StreamMissingError`, says what is wrong.
 */
export type Check = () => Promise<boolean | string | undefined> | boolean | string | undefined;

export interface Readiness {
  readonly isReady: boolean;
  /** By name: `ok`, `unavailable`, or what is wrong. */
  readonly checks: Readonly<Record<string, string>>;
  /** How many aggregates of a service wait for a dead letter, where some do. All others are answered. */
  readonly waiting?: Readonly<Record<string, number>>;
}

/** Of a service that is about to end: nothing new is to be sent to it, and what it works on it finishes. */
export const stoppingReadiness: Readiness = { isReady: false, checks: { running: 'stopping' } };

/** How long one check may take unless told otherwise, in milliseconds. */
const checkTimeoutMs = 2_000;

/** Runs all checks concurrently, each within `timeoutMs`. */
export async function runChecks(
  checks: Readonly<Record<string, Check>>,
  timeoutMs = checkTimeoutMs,
): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check, timeoutMs)] as const),
  );
  return { isReady: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) };
}

/** Checks by name, or what runs them. */
export type Checks = Readonly<Record<string, Check>> | (() => Promise<Readiness>);

/** Runs the checks. */
export function look(checks: Checks): Promise<Readiness> {
  return typeof checks === 'function' ? checks() : runChecks(checks);
}

async function resultOf(check: Check, timeoutMs: number): Promise<string> {
  try {
    const result = await pTimeout(Promise.resolve().then(check), { milliseconds: timeoutMs });
    if (typeof result === 'string') return result;
    return result === false ? 'unavailable' : 'ok';
  } catch (error) {
    // Recognised by name, because this package does not depend on the event store.
    return error instanceof Error && error.name === 'StreamMissingError' ? error.message : 'unavailable';
  }
}

const everyInterface = '0.0.0.0';

/**
 * Finds out whether the health of a service can be served at a port, before the service is started.
 * @throws ListenError as `serveHealth` does
 */
export async function assertHealthPortFree(port: number): Promise<void> {
  const server = createServer();
  await listenAt(server, port);
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` for a service that runs in a process of its own and has no other HTTP.
 * @param options.port 0 takes a free one
 * @throws ListenError when the port is in use, or may not be used
 */
export async function serveHealth(options: {
  port: number;
  host?: string;
  checks: Checks;
  metrics?: Metrics;
  /** Whether the service is about to end: then it is not ready, whatever the checks say. */
  isStopping?: () => boolean;
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy());
  });
  await listenAt(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listenAt(server: Server, port: number, host = everyInterface): Promise<void> {
  return startListening(server, { port, host }, `HEALTH_PORT ${port}`);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: Pick<Parameters<typeof serveHealth>[0], 'checks' | 'metrics' | 'isStopping'>,
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (path === '/healthz') return json(response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const { isReady, checks } = options.isStopping?.() ? stoppingReadiness : await look(options.checks);
    return json(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'unavailable', checks });
  }
  if (path === '/metrics' && options.metrics) {
    response.writeHead(200, { 'content-type': options.metrics.contentType }).end(await options.metrics.text());
    return;
  }
  json(response, 404, { status: 'not found' });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
