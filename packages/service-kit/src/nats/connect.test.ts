import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { NatsConnection } from '@nats-io/nats-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../process/logger.ts';
import { closeNats, connectNats } from './connect.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

describe('connecting to NATS', () => {
  it('gives up after the start timeout with one sentence that hides the password', async () => {
    const url = 'nats://user:secret@127.0.0.1:1, user:secret@127.0.0.1:2';
    const error: Error = await connectNats({ url, name: 'test', logger, startTimeoutMs: 50 }).catch((caught) => caught);
    expect(error.name).toBe('NatsUnreachableError');
    expect(error.message).toContain('127.0.0.1:1');
    expect(error.message).not.toContain('secret');
  });
});

describe('a connection', () => {
  it('that is given up is made anew, also when the server has not taken all that was sent', async () => {
    const { connection, next } = await connectToScript();
    const socket = await next();
    socket.pause();
    for (let megabytes = 0; megabytes < 20; megabytes += 1) connection.publish('a', new Uint8Array(1_024 * 1_024));
    socket.write("-ERR 'User Authentication Expired'\r\n");
    await next();
  });

  it('is kept up however often the server refuses its credentials', async () => {
    const { connection, next } = await connectToScript();
    for (let refusals = 0; refusals < 3; refusals += 1) (await next()).write("-ERR 'Authorization Violation'\r\n");
    await next();
    expect(connection.isClosed()).toBe(false);
  });

  it('is closed although its server goes away meanwhile', async () => {
    const { connection, next, leave } = await connectToScript();
    await next();
    const closing = closeNats(connection);
    leave();
    await closing;
    expect(connection.isClosed()).toBe(true);
  });

  it('is closed although its server is away', async () => {
    const { connection, next, leave } = await connectToScript();
    await next();
    const statuses = connection.status()[Symbol.asyncIterator]();
    leave();
    while ((await statuses.next()).value?.type !== 'reconnecting');
    await closeNats(connection);
    expect(connection.isClosed()).toBe(true);
  });
});

/** Connects to a server that takes everybody, and says nothing else by itself. */
async function connectToScript(): Promise<{
  connection: NatsConnection;
  next(): Promise<Socket>;
  /** Ends the server. */
  leave(): void;
}> {
  const info = { server_id: 'A', version: '2.14.0', proto: 1, headers: true, max_payload: 1_024 * 1_024 };
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (!chunk.includes('CONNECT ')) return;
      socket.write('PONG\r\n');
      server.emit('accepted', socket);
    });
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
  });
  const accepted: Socket[] = [];
  server.on('accepted', (socket: Socket) => accepted.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = await connectNats({ url, name: 'test', logger });
  onTestFinished(async () => {
    await connection.close();
    server.close();
  });
  /** The next socket by which the client has connected. */
  const next = async () => {
    while (accepted.length === 0) await once(server, 'accepted');
    return accepted.shift() as Socket;
  };
  const leave = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { connection, next, leave };
}
