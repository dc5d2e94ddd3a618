import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Callers that have announced a body and take their time with it. */
export interface SlowSenders {
  /** Those whom the gateway has let go. */
  ended(): number;
  close(): void;
}

/**
 * Opens connections on each of which a delivery stands still after its headers and one byte, as it does between two bytes of
 * a sender that sends one every ten seconds.
 */
export async function openSlowSenders(url: string, path: string, count: number): Promise<SlowSenders> {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(Array.from({ length: count }, () => openSlowSender(hostname, Number(port), path)));
  let ended = 0;
  for (const socket of sockets) socket.once('close', () => ended++);
  return {
    ended: () => ended,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function openSlowSender(host: string, port: number, path: string): Promise<Socket> {
  const socket = connect({ host, port });
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 600000\r\n\r\n[`,
  );
  return socket;
}
