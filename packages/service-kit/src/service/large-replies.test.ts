import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endpointsOf } from '@mneme/contracts';
import { atFullLength, type Stack, scaled, startTestStack } from '@mneme/local-stack/testing';
import type { NatsConnection } from '@nats-io/nats-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { closeNats, connectNats, watchLink } from '../nats/connect.ts';
import { createLogger } from '../process/logger.ts';
import { type Client, createClient } from '../request-reply/client.ts';
import { maxReplyBytes } from '../request-reply/parts.ts';
import { type Service, startService } from './service.ts';

const megabyte = 1_024 * 1_024;
const fill = endpointsOf('filler')('fill', { bytes: z.int(), letter: z.string() }, z.string());
const options = { correlationId: 'request-1', timeoutMs: 60_000 };
const logged: { msg: string }[] = [];
const logger = createLogger({ service: 'filler', destination: { write: (line) => logged.push(JSON.parse(line)) } });
const silent = createLogger({ service: 'test', level: 'silent' });

let stack: Stack;
let serving: NatsConnection;
let calling: NatsConnection;
let service: Service;
let client: Client;

beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
});
afterAll(() => stack.stop());

beforeEach(async () => {
  logged.length = 0;
  serving = await connectNats({ url: stack.natsUrl, name: 'serving', logger: silent });
  service = startService({ connection: serving, name: 'filler', version: '1.0.0', logger });
  service.serve(fill, ({ bytes, letter }) => letter.repeat(bytes));
  service.announce();
  await serving.flush();
  await callThrough(stack.natsUrl);
});
afterEach(async () => {
  await service.stop();
  client.close();
  await Promise.all([closeNats(serving), closeNats(calling)]);
});

async function callThrough(url: string): Promise<void> {
  if (calling && !calling.isClosed()) await closeNats(calling);
  calling = await connectNats({ url, name: 'calling', logger: silent });
  client = createClient({ connection: calling });
}

const send = (bytes: number, more: object = {}) =>
  client.request(fill, { bytes, letter: 'x' }, { ...options, ...more });

/** Of the receiver: whether NATS has cut it off as a slow consumer. */
function countLosses(): () => number {
  let losses = 0;
  const onLost = () => {
    losses += 1;
  };
  const link = watchLink(calling, { onLost });
  onTestFinished(link.stop);
  return () => losses;
}

/** Together more than the 64 MB that NATS keeps for a receiver. */
const largeBytes = scaled({ full: 40, short: 20 }) * megabyte;

it.runIf(atFullLength)(
  'a slow receiver of four large replies keeps its connection, and its other requests are answered meanwhile',
  async () => {
    await callThrough(await startSlowReceiver(16 * megabyte));
    const losses = countLosses();
    let isDone = false;
    const large = Promise.all(Array.from({ length: 4 }, () => send(largeBytes))).finally(() => {
      isDone = true;
    });
    let answered = 0;
    while (!isDone) {
      expect(await send(10)).toBe('x'.repeat(10));
      answered += 1;
    }
    expect((await large).map((reply) => reply.length)).toEqual(Array(4).fill(largeBytes));
    expect(answered).toBeGreaterThan(10);
    expect(losses()).toBe(0);
  },
);

it.each([1, 128 * 1_024 - 3, 128 * 1_024 - 2, 128 * 1_024 - 1, megabyte, maxReplyBytes - 2])(
  'a reply of %d characters comes as it was sent',
  async (bytes) => {
    expect(await send(bytes)).toBe('x'.repeat(bytes));
  },
);

it('concurrent replies are not mixed', async () => {
  const letters = [...'abcdefgä'];
  const replies = await Promise.all(
    letters.map((letter) => client.request(fill, { bytes: megabyte, letter }, options)),
  );
  expect(replies).toEqual(letters.map((letter) => letter.repeat(megabyte)));
});

it('a reply that is too large is refused in one sentence, and logged', async () => {
  const refusal = { status: 500, code: 'INTERNAL_ERROR', message: expect.stringContaining('larger than 64 MiB') };
  await expect(send(maxReplyBytes)).rejects.toMatchObject(refusal);
  expect(logged).toMatchObject([{ msg: 'fill failed' }]);
  expect(await send(10)).toBe('x'.repeat(10));
});

it('a caller that goes away in the middle releases its credits', async () => {
  for (let round = 0; round < scaled({ full: 20, short: 8 }); round += 1) {
    const caller = new AbortController();
    const gone = send(8 * megabyte, { signal: caller.signal });
    const subscription = calling.subscribe('_INBOX.>', { callback: () => caller.abort(new Error('gone')), max: 2 });
    await expect(gone).rejects.toThrow('gone');
    subscription.unsubscribe();
  }
  expect((await send(8 * megabyte)).length).toBe(8 * megabyte);
  expect(logged).toEqual([]);
});

it('a service that is killed in the middle fails the request with 503, and others are answered', async () => {
  const other = await connectNats({ url: stack.natsUrl, name: 'other', logger: silent });
  onTestFinished(() => closeNats(other));
  // Announces parts and never sends them, as one does that was killed.
  other.subscribe('mneme.dead.fill', {
    callback: (_error, message) => {
      const { headers } = message;
      headers?.set('mneme-part', '0/100');
      if (message.reply && headers) other.publish(message.reply, '', { reply: 'missing', headers });
    },
  });
  await other.flush();
  const dead = endpointsOf('dead')('fill', {}, z.string());
  const impatient = createClient({ connection: calling, silenceMs: 300 });
  onTestFinished(() => impatient.close());
  const failed = Promise.allSettled([impatient.request(dead, {}, options), impatient.request(dead, {}, options)]);
  const [outcome] = await failed;
  expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'UNAVAILABLE' } });
  expect((await send(megabyte)).length).toBe(megabyte);
});

it('a caller of an earlier release gets all parts at once', async () => {
  const inbox = 'earlier.caller';
  const parts: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  calling.subscribe(inbox, {
    callback: (_error, message) => {
      const part = message.headers?.get('mneme-part') ?? '';
      parts.push(part);
      const [index, count] = part.split('/');
      if (index === count) resolve();
    },
  });
  calling.publish(fill.subject, JSON.stringify({ bytes: 20 * megabyte, letter: 'x' }), { reply: inbox });
  await promise;
  expect(parts).toEqual(['1/3', '2/3', '3/3']);
});

/** Stands between NATS and a client, and takes from NATS a limited number of bytes in a second. */
async function startSlowReceiver(bytesPerSecond: number): Promise<string> {
  const target = new URL(stack.natsUrl);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    sockets.push(client, upstream);
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      client.write(chunk);
      upstream.pause();
      setTimeout(() => upstream.resume(), (chunk.length / bytesPerSecond) * 1_000);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
