import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { maxEventBytes } from '@mneme/event-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';
import type { KnownWebhook } from '../../testing/webhook-records.ts';

const mebibyte = 1_024 * 1_024;

let webhook: KnownWebhook;

const fixture = useGateway();
beforeEach(async () => {
  webhook = await fixture.webhooks.issue();
});
afterEach(() => {
  vi.useRealTimers();
});

const send = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  fixture.http('POST', webhook.path, { raw, headers });
/** JSON of that many bytes. */
const json = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
const recorded = async () => (await fixture.webhooks.deliveriesOf(webhook)).length;

/** Sends the head of a request and leaves the body to the test. */
function open(head: readonly string[], url = fixture.url): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write([`POST ${webhook.path} HTTP/1.1`, 'Host: localhost', ...head, '', ''].join('\r\n'));
  return socket;
}

describe('the size of a body', () => {
  it('may be 1 MiB at most, with every transfer and content encoding', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    const gzip = { 'content-encoding': 'gzip' };
    expect((await send(json(mebibyte))).status).toBe(200);
    expect((await send(json(mebibyte), chunked)).status).toBe(200);
    expect((await send(gzipSync(json(mebibyte)), gzip)).status).toBe(200);
    const { status, body } = await send(json(mebibyte + 1));
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect((await send(`"${'é'.repeat(mebibyte / 2)}"`)).status).toBe(413);
    expect((await send(json(mebibyte + 1), chunked)).status).toBe(413);
    expect((await send(gzipSync(json(mebibyte + 1)), gzip)).status).toBe(413);
    expect(await recorded()).toBe(3);
  });

  it('has the configured limit, and never more than a message of the log', async () => {
    const small = await fixture.startAnother({ WEBHOOK_BODY_LIMIT: '10' });
    expect((await small.http('POST', webhook.path, { raw: json(10) })).status).toBe(200);
    expect((await small.http('POST', webhook.path, { raw: json(11) })).status).toBe(413);
    const large = await fixture.startAnother({ WEBHOOK_BODY_LIMIT: String(20 * mebibyte) });
    expect((await large.http('POST', webhook.path, { raw: json(7 * mebibyte) })).status).toBe(200);
    expect((await large.http('POST', webhook.path, { raw: json(9 * mebibyte) })).status).toBe(413);
  });

  it('leaves room for the headers of the event that keeps its row once the webhook is deleted', async () => {
    const large = await fixture.startAnother({ WEBHOOK_BODY_LIMIT: String(20 * mebibyte) });
    const most = maxEventBytes(fixture.connection);
    expect((await large.http('POST', webhook.path, { raw: json(most) })).status).toBe(200);
    const { status, body } = await large.http('POST', webhook.path, { raw: json(most + 1) });
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await recorded()).toBe(1);
  });

  it('is recorded when it comes byte by byte', async () => {
    const body = json(3_000);
    const socket = open(['Transfer-Encoding: chunked', 'Connection: close']);
    for (const byte of body) socket.write(`1\r\n${byte}\r\n`);
    socket.write('0\r\n\r\n');
    expect(await text(socket)).toContain('200 OK');
    const [delivery] = await fixture.webhooks.deliveriesOf(webhook);
    expect(Buffer.from(delivery?.data as Uint8Array).toString()).toBe(body);
  });

  it('records nothing of a body that is cut off', async () => {
    const socket = open(['Content-Length: 100']);
    socket.write('{"a":1}');
    socket.destroy();
    const half = open(['Transfer-Encoding: chunked', 'Content-Encoding: gzip']);
    half.write('5\r\nabcde\r\n');
    half.destroy();
    expect((await send('{}')).status).toBe(200);
    expect(await recorded()).toBe(1);
  });
});

describe('a decompression bomb', () => {
  it('of 1 GiB is refused, and the memory hardly grows', async () => {
    const member = gzipSync(Buffer.alloc(16 * mebibyte, ' '), { level: 9 });
    // RFC 1952 lets members follow each other; together these are JSON: a number, then white space.
    const bomb = Buffer.concat([gzipSync('1'), ...Array<Buffer>(64).fill(member)]);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 10; round += 1) {
      const replies = await Promise.all(Array.from({ length: 5 }, () => send(bomb, { 'content-encoding': 'gzip' })));
      expect(replies.map(({ status }) => status)).toEqual([413, 413, 413, 413, 413]);
    }
    // The callers live in this process too, each with a bomb of a megabyte.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * mebibyte);
    expect(await recorded()).toBe(0);
  });
});

describe('odd JSON', () => {
  it.each([
    ['5,000 levels deep', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
    ['100,000 levels of lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['121,000 keys', `{${Array.from({ length: 121_000 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`],
    ['half a million elements', `[${'0,'.repeat(500_000)}0]`],
  ])('is recorded as it came: %s', async (_name, body) => {
    expect((await send(body)).status).toBe(200);
    const [delivery] = await fixture.webhooks.deliveriesOf(webhook);
    const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
    expect(hash(delivery?.data as Uint8Array)).toBe(hash(body));
  });
});

describe('slow callers', () => {
  it('do not keep 300 others from being answered', async () => {
    const sockets = Array.from({ length: 300 }, () => open(['Content-Length: 1000']));
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.write('{', () => resolve()))));
    const startedAt = performance.now();
    const replies = await Promise.all(Array.from({ length: 300 }, () => send('{}')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    for (const socket of sockets) socket.destroy();
    expect(await recorded()).toBe(300);
  });

  it('are cut off after a time, whether they send nothing or a byte now and then', async () => {
    const strict = await fixture.startAnother({ REQUEST_TIMEOUT_MS: '1000' });
    const silent = open(['Content-Length: 10'], strict.url);
    const slow = open(['Content-Length: 1000'], strict.url);
    const drip = setInterval(() => slow.write(' '), 100);
    const answers = await Promise.all([text(silent), text(slow)]);
    clearInterval(drip);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 408 .*all of it 1 s; send less at once/s);
    expect(await recorded()).toBe(0);
  });

  it('learn after a second that their webhook was deactivated while they sent, whatever the clock of the gateway says', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const socket = open(['Content-Length: 2', 'Connection: close']);
    socket.write('{');
    // The webhook of the first one was looked up before.
    await send('{}');
    await fixture.webhooks.change(webhook, { state: 'inactive' });
    vi.advanceTimersByTime(1_100);
    socket.write('}');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /);
    expect(await recorded()).toBe(1);
  });
});
