import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy before a NATS server that can swallow what the server says, as a network does that breaks at the wrong moment. */
export interface LossyProxy extends AsyncDisposable {
  readonly url: string;
  /**
   * Swallows the next message from the server that contains a text, any unless given, and breaks the connection, for good as
   * `cut` does when it is to stay so.
   */
  loseNextReply(options?: { andStay?: boolean; containing?: string }): void;
  /** Breaks all connections and takes no new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** How many replies were lost. */
  lost(): number;
}

export async function startLossyProxy(natsUrl: string): Promise<LossyProxy> {
  const target = new URL(natsUrl);
  let armedFor: string | undefined;
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
      if (armedFor === undefined || !chunk.includes(armedFor)) return void client.write(chunk);
      armedFor = undefined;
      lost += 1;
      isCut = isToStay;
      client.destroy();
    });
    closeTogether(client, upstream);
  });
  const port = await listen(server);
  return {
    url: `nats://127.0.0.1:${port}`,
    // Heartbeats are no replies; only a message is worth losing.
    loseNextReply: ({ andStay = false, containing = 'MSG ' } = {}) => {
      armedFor = containing;
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
