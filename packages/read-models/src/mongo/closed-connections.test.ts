import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Stack, startTestStack } from '@mneme/local-stack/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connectMongo } from './connect-mongo.ts';

let stack: Stack;
let proxy: Server;
/** The proxy's ends of the connections to it. */
const accepted = new Set<Socket>();
beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod'] });
  const port = Number(new URL(stack.mongodbUrl).port);
  proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    accepted.add(client);
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(server).pipe(client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  proxy.close();
  await stack.stop();
});

// The driver, unpatched, waits for ever for the answers: patches/mongodb@7.8.0.patch.
it('what is asked over a connection that its server has just closed is answered or fails', async () => {
  const url = new URL(stack.mongodbUrl);
  url.port = String((proxy.address() as { port: number }).port);
  const sockets = clientSockets();
  const client = await connectMongo(url.href);
  onTestFinished(() => client.close());
  const ask = () => client.db().command({ ping: 1 });
  // As many connections as are asked at once.
  await Promise.all(Array.from({ length: 20 }, ask));

  const asked: Promise<PromiseSettledResult<unknown>[]>[] = [];
  for (const socket of sockets) {
    // By now the socket is destroyed, and nobody was told.
    socket.once('end', () => setImmediate(() => asked.push(Promise.allSettled([ask()]))));
  }
  for (const socket of accepted) socket.destroy();
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await Promise.all(asked);
  expect(await ask()).toMatchObject({ ok: 1 });
});

/** The connections that this process opens to the proxy from now on. */
function clientSockets(): ReadonlySet<Socket> {
  const { port } = proxy.address() as { port: number };
  const sockets = new Set<Socket>();
  const onOpened = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('connect', () => {
      if (socket.remotePort === port) sockets.add(socket);
    });
  };
  diagnostics.subscribe('net.client.socket', onOpened);
  onTestFinished(() => void diagnostics.unsubscribe('net.client.socket', onOpened));
  return sockets;
}
