import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a server, for one of its clients to lose it. */
export interface CuttableProxy extends AsyncDisposable {
  /** Host and port. */
  readonly address: string;
  /** Lets nothing through in either direction, as a firewall that drops packets; connections stay open, and new ones are taken. */
  silence(): void;
  /** Breaks all connections and takes no new ones. */
  refuse(): void;
  /** Lets everything through again, also what has waited. */
  restore(): void;
}

/** @param target of the server, such as `127.0.0.1:6333` */
export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(`tcp://${target}`);
  let state: 'open' | 'silent' | 'refusing' = 'open';
  const sockets = new Set<Socket>();
  const pass = (socket: Socket) => (state === 'silent' ? socket.pause() : socket.resume());
  const server = createServer((client) => {
    if (state === 'refusing') return void client.destroy();
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      pass(from);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const change = (to: typeof state) => {
    state = to;
    for (const socket of sockets) to === 'refusing' ? socket.destroy() : pass(socket);
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence: () => change('silent'),
    refuse: () => change('refusing'),
    restore: () => change('open'),
    [Symbol.asyncDispose]: async () => {
      change('refusing');
      server.close();
    },
  };
}
