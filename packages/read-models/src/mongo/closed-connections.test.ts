import diagnostics from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { atFullLength, type Stack, startTestStack } from '@mneme/local-stack/testing';
import type { ClientSession } from 'mongodb';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connectMongo } from './connect-mongo.ts';

let stack: Stack;
let proxy: Server;
/** The proxy's ends of the connections to it. */
const accepted = new Set<Socket>();
/** Lets the answers of the connections that there are vanish, without a close. */
const forget = new EventEmitter().setMaxListeners(0);
beforeAll(async () => {
  stack = await startTestStack({ servers: ['mongod'] });
  const port = Number(new URL(stack.mongodbUrl).port);
  proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    accepted.add(client);
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.pipe(server).pipe(client);
    forget.once('forget', () => server.unpipe(client).resume());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  proxy.close();
  await stack.stop();
});

// The driver, unpatched, waits for ever for the answers: patches/mongodb@7.8.0.patch.
it('what is asked over a connection that its server has just closed is answered or fails', async () => {
  const sockets = clientSockets();
  const client = await connectMongo(throughProxy().href);
  onTestFinished(() => client.close());
  const ask = () => client.db().command({ ping: 1 });
  // As many connections as are asked at once.
  await Promise.all(Array.from({ length: 20 }, ask));

  const asked: Promise<PromiseSettledResult<unknown>[]>[] = [];
  for (const socket of sockets) {
    // By now the socket is destroyed, and the driver was not told.
    socket.once('end', () => setImmediate(() => asked.push(Promise.allSettled([ask()]))));
  }
  for (const socket of accepted) socket.destroy();
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await Promise.all(asked);
  expect(await ask()).toMatchObject({ ok: 1 });
});

it('a connection without answers is given up after 25 s, or as the address says', async () => {
  const options = async (url: URL) => {
    const client = await connectMongo(url.href);
    onTestFinished(() => client.close());
    return client.options;
  };
  const url = throughProxy();
  expect(await options(url)).toMatchObject({ serverSelectionTimeoutMS: 5_000, socketTimeoutMS: 25_000 });
  url.searchParams.set('sockettimeoutms', '20000');
  url.searchParams.set('serverSelectionTimeoutMS', '4000');
  expect(await options(url)).toMatchObject({ serverSelectionTimeoutMS: 4_000, socketTimeoutMS: 20_000 });
});

it('reads, writes and transactions end when their connections are forgotten, and nothing is written twice', async () => {
  const url = throughProxy();
  url.searchParams.set('socketTimeoutMS', '500');
  const client = await connectMongo(url.href);
  onTestFinished(() => client.close());
  const counters = client.db('forgotten').collection<{ _id: string; count: number }>('counters');
  const raise = (_id: string, session?: ClientSession) =>
    counters.updateOne({ _id }, { $inc: { count: 1 } }, { upsert: true, ...(session && { session }) });
  await raise('alone');
  forget.emit('forget');
  await raise('alone');
  forget.emit('forget');
  expect(await counters.findOne({ _id: 'alone' })).toMatchObject({ count: 2 });
  let attempts = 0;
  await client.withSession((session) =>
    session.withTransaction(async () => {
      attempts += 1;
      // The answer to the write is lost at first, and that to the commit then.
      if (attempts === 1) forget.emit('forget');
      await raise('in a transaction', session);
      forget.emit('forget');
    }),
  );
  expect(attempts).toBe(2);
  expect(await counters.findOne({ _id: 'in a transaction' })).toMatchObject({ count: 1 });
});

// Longer than a server that answers nothing is waited for.
it.runIf(atFullLength)('a query that takes 12 s is answered', async () => {
  const client = await connectMongo(stack.mongodbUrl);
  onTestFinished(() => client.close());
  const rows = client.db('slow').collection('rows');
  await rows.insertOne({ name: 'slow' });
  expect(await rows.find({ $where: 'sleep(12000) || true' }).toArray()).toHaveLength(1);
});

function throughProxy(): URL {
  const url = new URL(stack.mongodbUrl);
  url.port = String((proxy.address() as { port: number }).port);
  return url;
}

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
