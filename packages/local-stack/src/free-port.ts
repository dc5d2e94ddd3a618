import { connect, createServer } from 'node:net';

const LOWEST = 15_000;
const HIGHEST = 32_000;
const MAX_TRIES = 50;
const PORTS_PER_PROCESS = 97;

/** Each process begins somewhere else, so that two of them rarely choose the same port before a server listens on it. */
let next = (process.pid * PORTS_PER_PROCESS) % (HIGHEST - LOWEST);

/**
 * A port of 127.0.0.1 that was free a moment ago, and another one each time.
 * It lies below the ports that the system gives to outgoing connections: a client that keeps trying to reach a stopped
 * server could otherwise be given that very port, connect to itself, and keep the server from starting again.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const port = LOWEST + next;
    next = (next + 1) % (HIGHEST - LOWEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${LOWEST} and ${HIGHEST} in ${MAX_TRIES} tries.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Whether something accepts connections on the port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
