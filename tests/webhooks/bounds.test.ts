import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person, refusal } from '../access/person.ts';
import { eventually } from '../system/eventually.ts';
import type { System } from '../system/start-system.ts';
import {
  acknowledge,
  createTableWebhook,
  deliver,
  incomingPath,
  logsOf,
  rowsOf,
  type TableWebhook,
} from './deliveries.ts';
import { openSlowSenders } from './slow-senders.ts';
import { startWebhookSystem } from './webhook-system.ts';

const mebibyte = 1_024 * 1_024;
const maxGrowthBytes = 100_000_000;
const noticedMs = 100;

let system: System;
let ana: Person;
let webhook: TableWebhook;
beforeAll(async () => {
  system = await startWebhookSystem();
  ana = await newPerson(system.http);
  return system.stop;
});
beforeEach(async () => {
  webhook = await createTableWebhook(ana);
});

const send = (request: RequestInit, http = system.http) =>
  http.send(incomingPath(webhook), { method: 'POST', ...request });

/** The memory that the gateway holds, in bytes. */
async function gatewayBytes(): Promise<number> {
  const { body } = await system.http.get<string>('/metrics');
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(body)?.[1]);
}

/** The most that it held while something was done. */
async function peakDuring(work: () => Promise<void>): Promise<number> {
  let peak = 0;
  let isDone = false;
  const watch = async () => {
    while (!isDone) peak = Math.max(peak, await gatewayBytes());
  };
  const watching = watch();
  await work().finally(() => {
    isDone = true;
  });
  await watching;
  return Math.max(peak, await gatewayBytes());
}

describe('an incoming delivery leaves no log', () => {
  test.each(['', '{', '{a:1}', 'NaN', '{"a":1}{}', '\ufeff\ufeff1'])('400: of what is not JSON: %j', async (body) => {
    expect(await send({ body })).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await logsOf(ana, webhook)).toEqual([]);
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('405: of the method %s', async (method) => {
    const answer = await system.http.send(incomingPath(webhook), { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('POST');
    expect(await logsOf(ana, webhook)).toEqual([]);
  });

  test.each(['zstd', 'compress', 'gzip, gzip', 'nonsense'])('415: of the encoding %s', async (encoding) => {
    const answer = await send({ body: '{}', headers: { 'content-encoding': encoding } });
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    expect(await logsOf(ana, webhook)).toEqual([]);
  });

  test.each(['x'.repeat(32), 'X'.repeat(32), 'short', '*', '__proto__'])('404: with the token %s', async (token) => {
    const answer = await deliver(system.http, { token }, '{}');
    expect(answer).toMatchObject(refusal(404, 'NOT_FOUND', 'Webhook not found or inactive'));
  });

  test('413: past 1 MiB by one byte, however it is sent; up to there it is kept whole', async () => {
    const full = `"${'é'.repeat((mebibyte - 2) / 2)}"`;
    const over = `${full} `;
    const pieces = () => new Blob([over]).stream();
    const requests: (RequestInit & { duplex?: 'half' })[] = [
      { body: over },
      { body: pieces(), duplex: 'half' },
      { body: gzipSync(over), headers: { 'content-encoding': 'gzip' } },
    ];
    for (const request of requests) {
      expect(await send(request)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    }
    expect(await logsOf(ana, webhook)).toEqual([]);
    expect((await send({ body: full })).status).toBe(200);
    expect((await send({ body: gzipSync(full), headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
    expect((await logsOf(ana, webhook)).map(({ payload, status }) => [payload === full, status])).toEqual(
      Array(2).fill([true, 'processed']),
    );
  });
});

test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'x'])(
  'any content type is read as JSON: %s',
  async (type) => {
    const body = new TextEncoder().encode('{"a":"é"}');
    expect((await send({ body, headers: type === undefined ? {} : { 'content-type': type } })).status).toBe(200);
    expect((await logsOf(ana, webhook))[0]).toMatchObject({ payload: '{"a":"é"}', status: 'processed' });
  },
);

test('the address of the sender counts from trusted proxies only', async () => {
  const trusting = await system.addGateway({ TRUSTED_PROXIES: 'loopback' });
  const from = (address: string, http = trusting.http) =>
    send({ body: '1', headers: { 'x-forwarded-for': address } }, http);
  await from('203.0.113.9', system.http);
  await from('203.0.113.7');
  await from('2001:db8::1');
  await from('not an address');
  await trusting.process.kill();
  const addresses = (await logsOf(ana, webhook)).map(({ source_ip }) => source_ip);
  expect(addresses).toEqual(['unknown', '2001:db8::1', '203.0.113.7', '127.0.0.1']);
  expect((await rowsOf(ana, webhook.table_id)).map(({ values }) => values.source_ip)).toEqual(addresses);
});

test('huge payloads become an error or a row, and the deliveries beside them a row', async () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const keys = `{${Array.from({ length: 121_000 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`;
  const list = `{"list":[${'1,'.repeat(500_000)}2]}`;
  const before = await gatewayBytes();
  const peak = await peakDuring(async () => {
    for (const payload of [deep, keys, list]) {
      await acknowledge(system.http, webhook, '{"small":1}');
      await acknowledge(system.http, webhook, payload);
    }
  });
  const logs = await logsOf(ana, webhook);
  expect(logs.map(({ payload }) => payload)).toEqual([list, '{"small":1}', keys, '{"small":1}', deep, '{"small":1}']);
  expect(logs.map(({ status }) => status)).toEqual([
    'processed',
    'processed',
    'error',
    'processed',
    'error',
    'processed',
  ]);
  expect(peak - before).toBeLessThan(maxGrowthBytes);
});

test('a gzip bomb of 1 GiB is 413, and the gateway grows by less than 100 MB', async () => {
  const member = gzipSync(Buffer.alloc(16 * mebibyte, ' '), { level: 9 });
  // RFC 1952 lets members follow each other; this one says a number, then 1 GiB of white space.
  const bomb = Buffer.concat([gzipSync('1'), ...Array<Buffer>(64).fill(member)]);
  const before = await gatewayBytes();
  const peak = await peakDuring(async () => {
    const request = { body: bomb, headers: { 'content-encoding': 'gzip' } };
    for (const { status } of await Promise.all(Array.from({ length: 8 }, () => send(request))))
      expect(status).toBe(413);
  });
  expect(peak - before).toBeLessThan(maxGrowthBytes);
  expect(await logsOf(ana, webhook)).toEqual([]);
});

describe('300 senders that send a byte every ten seconds', () => {
  test('do not make others wait longer than twice as long as usual, as far as that can be noticed', async () => {
    const usual: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < 3; round++) {
      usual.push(await p99());
      const slow = await openSlowSenders(system.http.url, incomingPath(webhook), 300);
      beside.push(await p99());
      expect(slow.ended()).toBe(0);
      slow.close();
    }
    // Of the calmest of each, since whatever else the machine does falls on some.
    // Of a few milliseconds, twice as many are what the machine does, not the senders.
    expect(Math.min(...beside)).toBeLessThan(Math.max(noticedMs, 2 * Math.min(...usual)));
  });

  test('are let go when their time is over, and leave no log', async () => {
    const hurried = await system.addGateway({ REQUEST_TIMEOUT_MS: '1000' });
    const slow = await openSlowSenders(hurried.http.url, incomingPath(webhook), 300);
    await eventually('all of them are let go', () => slow.ended() === 300, 15_000);
    await hurried.process.kill();
    expect(await logsOf(ana, webhook)).toEqual([]);
  });
});

/** Of 200 deliveries, four at once, in milliseconds. */
async function p99(): Promise<number> {
  const durations: number[] = [];
  const deliverOn = async () => {
    for (let count = 0; count < 50; count++) {
      const startedAt = performance.now();
      await acknowledge(system.http, webhook, '{"a":1}');
      durations.push(performance.now() - startedAt);
    }
  };
  await Promise.all([1, 2, 3, 4].map(deliverOn));
  return durations.toSorted((left, right) => left - right)[Math.floor(durations.length * 0.99) - 1] ?? Number.NaN;
}
