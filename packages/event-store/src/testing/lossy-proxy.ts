import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy before a NATS server that can swallow what the server says, as a network does that breaks at the wrong moment. */
export interface LossyProxy extends AsyncDisposable {
  readonly url: string;
  /** Swallows the next message from the server and breaks the connection, for good as `cut` does when it is to stay so. */
  loseNextReply(options?: { andStay: boolean }): void;
  /** Breaks all connections and takes no new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** How many replies were lost. */
  lost(): number;
}

export async function startLossyProxy(natsUrl: string): Promise<LossyProxy> {
  const target = new URL(natsUrl);
  let isArmed = false;
  let isToStay = false;
  let lost = 0;
  let isCut = false;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    clients.add(client);
    client.once('close', () => clients.delete(client));
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      // Heartbeats are no replies; only a message is worth losing.
      if (!isArmed || !chunk.includes('MSG ')) return void client.write(chunk);
      isArmed = false;
      lost += 1;
      isCut = isToStay;
      client.destroy();
    });
    closeTogether(client, upstream);
  });
  const port = await listen(server);
  return {
    url: `nats://127.0.0.1:${port}`,
    loseNextReply: ({ andStay } = { andStay: false }) => {
      isArmed = true;
      isToStay = andStay;
    },
    cut: () => {
      isCut = true;
      for (const client of clients) client.destroy();
    },
    restore: () => {
      isCut = false;
    },
    lost: () => lost,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

function closeTogether(client: Socket, upstream: Socket): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.on('error', () => other.destroy());
    socket.on('close', () => other.destroy());
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
