import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryQuery } from '@mneme/contracts';
import type { Response } from 'express';
import { describe, expect, it, type TestContext } from 'vitest';
import { useGateway } from '../testing/gateway-fixture.ts';
import { jsonAnswer, send } from './answers.ts';
import { listen } from './server.ts';

/** How long an answer may stay unread, in milliseconds. */
const stallMs = 1_000;

const fixture = useGateway({ RESPONSE_STALL_TIMEOUT_MS: String(stallMs) });
const { http } = fixture;

/** As many as a connection may have open; their answers are more than the buffers of both systems hold. */
const wholeRequests = 100;
const request = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';

function open(url = fixture.url): Socket {
  return connect({ port: Number(new URL(url).port), host: '127.0.0.1' }).on('error', () => {});
}

async function closed(socket: Socket): Promise<'closed'> {
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return 'closed';
}

describe.concurrent('answers that are not read', () => {
  it('end the connection after a while, pipelined ones too', async () => {
    const socket = open();
    socket.pause();
    socket.write(request.repeat(wholeRequests));
    // A paused socket does not notice its end: what it may still write does.
    const knock = setInterval(() => socket.write('\r\n'), 100);
    expect(await Promise.race([closed(socket), delay(stallMs * 10, 'still open')])).toBe('closed');
    clearInterval(knock);
  });

  it('continue for a caller who reads slowly', async () => {
    const { text } = await http('GET', '/openapi.json');
    const socket = open();
    let bytes = 0;
    socket.write(request.repeat(wholeRequests));
    const wanted = wholeRequests * Buffer.byteLength(text);
    const startedAt = performance.now();
    for await (const piece of socket) {
      bytes += piece.length;
      // Slower than the server writes, and three times as long as an answer may stay unread.
      if (performance.now() - startedAt < 3 * stallMs) await delay(20);
      if (bytes > wanted) break;
    }
    expect(bytes).toBeGreaterThan(wanted);
  });

  it('are not confused with slow answers of the server', async () => {
    fixture.services.answer(memoryQuery.listAgents, async () => {
      await delay(3 * stallMs);
      return { agents: [], total: 0, next_cursor: null };
    });
    expect((await http('GET', '/api/agents')).status).toBe(200);
  });
});

const mebibyte = 1_024 * 1_024;
const patient = { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000, responseStallTimeoutMs: 60_000 };

/** Serves one application for a test. */
async function serve({ onTestFinished }: TestContext, app: RequestListener, maxUnreadBytes?: number): Promise<string> {
  const server = await listen(app, { ...patient, ...(maxUnreadBytes && { maxUnreadBytes }) });
  onTestFinished(() => server.close());
  return server.url;
}

it('the address of a caller is known after it has reset the connection', async (context) => {
  const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>();
  const socket = open(await serve(context, resolve));
  socket.write(request);
  const { socket: ofCaller } = await arrived;
  socket.resetAndDestroy();
  await closed(ofCaller);
  expect(ofCaller.remoteAddress).toBe('127.0.0.1');
});

describe.concurrent('a request that is refused while it is sent', () => {
  const piece = Buffer.alloc(0x10000);
  const pieces = 30;
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${pieces * piece.length}\r\n\r\n`;
  const refuse: RequestListener = (_request, response) => {
    response.writeHead(413, { Connection: 'close', 'Content-Length': 2 }).end('no');
  };

  it('is read to its end, however long that takes, and then its connection ends', async (context) => {
    const socket = open(await serve(context, refuse)).pause();
    socket.write(head);
    for (let sent = 0; sent < pieces; sent += 1) {
      socket.write(piece);
      await delay(50);
    }
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*no$/s);
    expect(socket.errored).toBeNull();
  });

  it('is waited for until its caller has sent nothing for 5 s', async (context) => {
    const { promise: arrived, resolve } = Promise.withResolvers<IncomingMessage>();
    const url = await serve(context, (incoming, response) => {
      resolve(incoming);
      refuse(incoming, response);
    });
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(head);
    const startedAt = performance.now();
    const ended = arrived.then((incoming) => closed(incoming.socket));
    expect(await text(socket)).toMatch(/no$/);
    await ended;
    expect(performance.now() - startedAt).toBeGreaterThan(4_900);
    socket.destroy();
  });

  it('keeps its connection if it is small, and none that follows an announced end is worked on', async (context) => {
    const seen: string[] = [];
    const url = await serve(context, (request, response) => {
      seen.push(request.url ?? '');
      send(response as Response, jsonAnswer({ path: request.url }));
    });
    const socket = open(url);
    const post = (path: string, bytes: number) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`;
    socket.write(`${post('/small', 2)}{}`);
    expect(String((await once(socket, 'data'))[0])).toContain('Connection: keep-alive');
    socket.write(`${post('/large', 100_000)}${'x'.repeat(100_000)}${post('/after', 2)}{}`);
    expect(await text(socket)).toMatch(/Connection: close.*large/s);
    expect(seen).toEqual(['/small', '/large']);
  });

  it('gets its answer also while the server ends', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<() => void>();
    const server = await listen((request, response) => resolve(() => refuse(request, response)), patient);
    const socket = open(server.url);
    socket.write(head);
    socket.write(piece);
    const answer = await arrived;
    const ended = server.close();
    socket.write(piece);
    answer();
    expect(await text(socket)).toMatch(/no$/);
    await ended;
  });

  it('does not delay the end of the server', async () => {
    const server = await listen(refuse, patient);
    const socket = open(server.url);
    socket.write(head);
    await once(socket, 'data');
    expect(await Promise.race([server.close(), delay(2_000, 'still open')])).toBeUndefined();
  });
});

describe('answers that are read slowly', () => {
  /** Reads some 1.5 MB a second. */
  function readSlowly({ onTestFinished }: TestContext, url: string, path: string): { bytes: number } {
    const socket = open(url);
    const read = { bytes: 0 };
    onTestFinished(() => void socket.destroy());
    socket.on('data', (piece) => {
      read.bytes += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), 40);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return read;
  }

  it('end the connections with most of them when all together are too many', async (context) => {
    const cut: string[] = [];
    const url = await serve(
      context,
      (request, response) => {
        const path = request.url ?? '';
        response.once('close', () => response.writableFinished || cut.push(path));
        if (path !== '/events') {
          response.end(Buffer.alloc(Number(path.slice(1)) * mebibyte));
          return;
        }
        const timer = setInterval(() => response.write('data: x\n\n'), 50);
        response.once('close', () => clearInterval(timer));
      },
      36 * mebibyte,
    );
    const events = readSlowly(context, url, '/events');
    const moderate = readSlowly(context, url, '/5');
    for (let readers = 0; readers < 4; readers += 1) readSlowly(context, url, '/24');
    await expect.poll(() => cut, { timeout: 20_000 }).toEqual(['/24', '/24', '/24']);
    await expect.poll(() => moderate.bytes, { timeout: 20_000 }).toBeGreaterThan(5 * mebibyte);
    const before = events.bytes;
    await expect.poll(() => events.bytes).toBeGreaterThan(before);
    expect(cut).toHaveLength(3);
  });
});

describe('pipelined requests', () => {
  it('of which more than 100 have no answer end the connection, and no more are processed', async (context) => {
    let received = 0;
    const url = await serve(context, () => {
      received += 1;
    });
    const socket = open(url);
    socket.write(request.repeat(1_000));
    expect(await Promise.race([closed(socket), delay(5_000, 'still open')])).toBe('closed');
    expect(received).toBe(100);
  });
});

describe('headers', () => {
  const withHeaders = (bytes: number) => http('GET', '/healthz', { headers: { x: 'x'.repeat(bytes) } });

  it('of more than 32 KiB are 431', async () => {
    expect((await withHeaders(31 * 1_024)).status).toBe(200);
    for (const bytes of [33 * 1_024, 64 * 1_024]) {
      const { status, headers, body } = await withHeaders(bytes);
      expect([status, headers['content-type']]).toEqual([431, 'application/problem+json']);
      expect(body.detail).toMatch(/larger than 32 KiB; shorten/);
    }
  });

  it('are answered with 431 on a reused connection too', async () => {
    const socket = open();
    let received = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      received += piece;
      if (received.endsWith('{"status":"ok"}')) {
        socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`);
      }
    });
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed(socket);
    expect(received).toMatch(/HTTP\/1\.1 431 /);
  });
});

describe('a request that expects what the server does not know', () => {
  it('is answered like any other one', async () => {
    const { status, headers, body } = await http('GET', '/healthz', { headers: { expect: 'foo' } });
    expect([status, body]).toEqual([200, { status: 'ok' }]);
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });
});
