import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpRequest, httpClient } from '../testing/http-request.ts';
import { bindConsole, findConsole } from './bind-console.ts';

/** More than the buffers of a connection hold, so that a download that is not read does not end. */
const largeBytes = 16 * 1_024 * 1_024;
const assets = {
  'app-1.js': 'plain',
  'app-1.js.br': 'brotli',
  'app-1.js.gz': 'gzip',
  'icon-1.svg': '<svg/>',
  'large-1.js': ' '.repeat(largeBytes),
};

let folder: string;
let server: Server;
let http: HttpRequest;
const portOf = (listening: Server) => (listening.address() as AddressInfo).port;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'the page');
  for (const [name, text] of Object.entries(assets)) writeFileSync(join(folder, 'assets', name), text);
  const app = express();
  app.set('etag', false);
  app.use((_request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', Vary: 'Origin' });
    next();
  });
  bindConsole(app, findConsole(folder));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  http = httpClient(portOf(server));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** How many files of the console this process has open. */
function openFiles(): number {
  const open = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(join('/proc/self/fd', descriptor));
    } catch {
      return '';
    }
  });
  return open.filter((path) => path.startsWith(folder)).length;
}

/** Takes the beginning of an answer and goes away. */
function abortDownload(path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  get({ host: '127.0.0.1', port: portOf(server), path, agent: false }, (response) => {
    response.once('data', () => response.destroy());
    response.once('error', () => {});
    response.once('close', () => resolve());
  }).once('error', reject);
  return promise;
}

describe('an asset', () => {
  it('is cached for good, may be loaded by pages of this server only, and has the type of its name', async () => {
    const { status, headers, text } = await http('GET', '/assets/icon-1.svg');
    expect([status, text]).toEqual([200, '<svg/>']);
    expect(headers).toMatchObject({
      'cache-control': 'public,max-age=31536000,immutable',
      'content-type': 'image/svg+xml',
      'content-length': '6',
      vary: 'Origin, Accept-Encoding',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it.each([
    ['', 'plain', undefined],
    ['gzip, deflate, br', 'brotli', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip;q=1, br;q=0', 'gzip', 'gzip'],
    ['deflate', 'plain', undefined],
  ])('is sent to a browser that accepts %j in the smallest form', async (accepted, text, encoding) => {
    const reply = await http('GET', '/assets/app-1.js', { headers: { 'accept-encoding': accepted } });
    expect([reply.status, reply.text, reply.headers['content-encoding']]).toEqual([200, text, encoding]);
    expect(reply.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('is not sent again when it has not changed, nor to HEAD', async () => {
    const { headers } = await http('HEAD', '/assets/app-1.js');
    expect(headers['content-length']).toBe('5');
    const since = { 'if-modified-since': headers['last-modified'] ?? '' };
    expect(await http('GET', '/assets/app-1.js', { headers: since })).toMatchObject({ status: 304, text: '' });
  });

  it.each(['bytes=500-100', 'bytes=3-1', 'bytes=a-b', 'bytes=0-1'])(
    'is answered whole for the range %s',
    async (range) => {
      expect(await http('GET', '/assets/app-1.js', { headers: { range } })).toMatchObject({
        status: 200,
        text: 'plain',
      });
    },
  );

  it.each(['none.js', 'app-1.js.br', 'x/app-1.js', '..%2findex.html', '../index.html', '__proto__'])(
    'is only what the build made: %s is not, and that is not cached',
    async (name) => {
      const { status, headers } = await http('GET', `/assets/${name}`);
      expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    },
  );

  it('leaves no file open when its callers go away', async () => {
    await Promise.all(Array.from({ length: 50 }, () => abortDownload('/assets/large-1.js')));
    await expect.poll(openFiles, { timeout: 3_000 }).toBe(0);
    expect((await http('GET', '/assets/large-1.js')).text).toHaveLength(largeBytes);
  });
});
