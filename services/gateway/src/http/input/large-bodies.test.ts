import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';

const mebibyte = 1_024 * 1_024;

const fixture = useGateway();

const json = { 'content-type': 'application/json' };

/** Sends the head of a search and leaves the body to the test. */
function open(headers: readonly string[], url = fixture.url): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = ['POST /api/search HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers];
  socket.write([...head, '', ''].join('\r\n'));
  return socket;
}

/** Sends pieces for as long as the connection takes them. */
function sendForever(socket: Socket, piece: Buffer | string): void {
  const next = () => socket.write(piece, (error) => error || setTimeout(next, 1));
  next();
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
const firstPiece = async (socket: Socket) => String((await once(socket, 'data'))[0]);
/** The memory of this process once it hardly changes any more, in bytes. */
async function steadyMemory(): Promise<number> {
  const memory = [0];
  const isSteady = () => {
    memory.push(process.memoryUsage().rss);
    const latest = memory.slice(-8);
    return latest.length === 8 && Math.max(...latest) - Math.min(...latest) < mebibyte;
  };
  await expect.poll(isSteady, { interval: 50, timeout: 20_000 }).toBe(true);
  return memory.at(-1) ?? 0;
}

const endless = `10000\r\n${' '.repeat(0x10000)}\r\n`;

describe('a body over the limit is 413', () => {
  it.each(['keep-alive', 'close'])('as soon as it is announced, with Connection: %s', async (connection) => {
    const socket = open(['Content-Length: 500000000', `Connection: ${connection}`]);
    expect(await firstPiece(socket)).toMatch(/^HTTP\/1\.1 413 .*\nConnection: close\r.*"code":"PAYLOAD_TOO_LARGE"/s);
  });

  it('before the caller is told to send it', async () => {
    const socket = open([`Content-Length: ${6 * mebibyte}`, 'Expect: 100-continue']);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ['with a length', 'Content-Length: 500000000', Buffer.alloc(0x10000)],
    ['without an end', 'Transfer-Encoding: chunked', endless],
  ])('%s, and the connection ends although more is sent', async (_name, header, piece) => {
    const socket = open([header]);
    const end = closed(socket);
    sendForever(socket, piece);
    expect(await firstPiece(socket)).toMatch(/^HTTP\/1\.1 413 /);
    await end;
    expect(socket.bytesWritten).toBeLessThan(500_000_000);
  });

  it('for callers who read only when they have sent all of it', async () => {
    const body = JSON.stringify({ query: 'x'.repeat(6 * mebibyte) });
    for (let round = 0; round < 5; round += 1) {
      const response = await fetch(`${fixture.url}/api/search`, { method: 'POST', headers: json, body });
      expect([response.status, await response.json()]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
      const socket = open([`Content-Length: ${body.length}`]).pause();
      await new Promise<void>((resolve, reject) => socket.write(body, (error) => (error ? reject(error) : resolve())));
      expect(await firstPiece(socket.resume())).toMatch(/^HTTP\/1\.1 413 /);
    }
  });
});

describe('callers who stop before the end of their bodies', () => {
  const search = () => fixture.http('POST', '/api/search', { raw: '{"query":"x"}', headers: json });

  it('take no more memory than they have sent, although it was compressed', async () => {
    const compressed = gzipSync(Buffer.alloc(5 * mebibyte - 1, ' '), { level: 9 });
    const head = [`Content-Length: ${compressed.length + 100}`, 'Content-Encoding: gzip'];
    const before = await steadyMemory();
    for (let caller = 0; caller < 60; caller += 1) open(head).write(compressed);
    expect((await steadyMemory()) - before).toBeLessThan(100 * mebibyte);
    expect((await search()).status).toBe(200);
  });

  it('give way when there are too many', async () => {
    const sockets = Array.from({ length: 40 }, () => open([`Content-Length: ${5 * mebibyte}`]));
    const answers: string[] = [];
    for (const socket of sockets) socket.once('data', (piece) => answers.push(String(piece)));
    for (const socket of sockets) socket.write(Buffer.alloc(5 * mebibyte - 1, ' '));
    await expect.poll(() => answers.length, { timeout: 20_000 }).toBeGreaterThan(10);
    for (const answer of answers) {
      expect(answer).toMatch(
        /^HTTP\/1\.1 503 .*\nRetry-After: 2\r.*"Too many large bodies are being received; send fewer/s,
      );
    }
    expect((await search()).status).toBe(200);
    expect(answers.length).toBeLessThan(20);
  });
});

it('a caller that is refused for another reason cannot go on sending either', async () => {
  const { url } = await fixture.startAnother({ MEMORY_AUTH: 'required', JWT_SECRET: 'x'.repeat(32) });
  const socket = open(['Transfer-Encoding: chunked'], url);
  const end = closed(socket);
  sendForever(socket, endless);
  expect(await firstPiece(socket)).toMatch(/^HTTP\/1\.1 401 /);
  await end;
});

it('a caller that waits to be asked for its body is asked, and answered on a connection that stays', async () => {
  const body = JSON.stringify({ query: 'x' });
  const socket = open([`Content-Length: ${body.length}`, 'Expect: 100-continue']);
  expect(await firstPiece(socket)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(body);
  expect(await firstPiece(socket)).toMatch(/^HTTP\/1\.1 200 /);
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await firstPiece(socket)).toMatch(/^HTTP\/1\.1 200 /);
});
