import { startTestNats, waitUntil } from '@mneme/local-stack/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  BatchTooLargeError,
  ConflictError,
  EventLogUnavailableError,
  EventTooLargeError,
  InvalidEventError,
} from '../../errors.ts';
import { connectEventStore, type EventStore } from '../../event-store.ts';
import { type LossyProxy, startLossyProxy } from '../../testing/lossy-proxy.ts';
import {
  catalog,
  connectTo,
  context,
  counted,
  countedTo,
  openTestLog,
  type TestEvent,
  type TestLog,
  useTestLog,
} from '../../testing/test-log.ts';
import { ensureStream } from '../ensure-stream.ts';
import { maxEventBytes } from './parts.ts';

const log = useTestLog();
let subject: string;
beforeEach(() => {
  subject = `${log.stream}.a`;
});

const numbers = async (store: EventStore<TestEvent>, subject: string) =>
  (await store.load(subject)).events.map((event) => (event.type === 'Counted' ? event.data.n : NaN));

describe('append', () => {
  it('returns the position of the last event, which is the revision that the next append expects', async () => {
    expect(await log.store.append(subject, [counted(1)], 0, context)).toEqual({ stream: log.stream, sequence: 1 });
    expect(await log.store.append(`${log.stream}.b`, [counted(9)], 0, context)).toMatchObject({ sequence: 2 });
    expect(await log.store.append(subject, [counted(2), counted(3)], 1, context)).toMatchObject({ sequence: 4 });
    expect((await log.store.load(subject)).revision).toBe(4);
    expect(await log.store.head()).toBe(4);
    expect(await log.store.head(`${log.stream}.b`)).toBe(2);
    expect(await log.store.head(`${log.stream}.*`)).toBe(4);
    expect(await log.store.head(`${log.stream}.c.>`)).toBe(0);
  });

  it.each([1, 3])('refuses %i event(s) on another revision and writes none of them', async (count) => {
    await log.store.append(subject, [counted(1)], 0, context);
    const late = log.store.append(subject, countedTo(count), 0, context);
    await expect(late).rejects.toThrow(ConflictError);
    await expect(log.store.append(subject, countedTo(count), 5, context)).rejects.toThrow(ConflictError);
    expect(await numbers(log.store, subject)).toEqual([1]);
  });

  it('lets exactly one of two writers win every revision', async () => {
    await using other = await openTestLog(log.stack);
    const rival = connectEventStore({ connection: other.connection, stream: log.stream, catalog, source: 'rival' });
    let revision = 0;
    for (let round = 1; round <= 100; round += 1) {
      const both = [log.store, rival].map((store, writer) =>
        store.append(subject, round % 2 ? [counted(writer)] : [counted(writer), counted(writer)], revision, context),
      );
      const results = await Promise.allSettled(both);
      const failures = results.filter((result) => result.status === 'rejected');
      expect(failures.map((failure) => failure.reason)).toEqual([expect.any(ConflictError)]);
      revision = (await log.store.load(subject)).revision;
    }
    expect(await numbers(log.store, subject)).toHaveLength(150);
  });

  it('refuses a batch of 1001 events and an empty one before anything is written', async () => {
    const append = (events: TestEvent[]) => log.store.append(subject, events, 0, context);
    await expect(append(countedTo(1001))).rejects.toThrow(BatchTooLargeError);
    await expect(append([])).rejects.toThrow(RangeError);
    expect(await log.store.head()).toBe(0);
  });

  it('refuses a batch with more bytes than it may have before anything is written', async () => {
    const { connection, stream } = log;
    const store = connectEventStore({ connection, stream, catalog, source: 'test', maxAppendBytes: 200 });
    const append = (count: number) => store.append(`${stream}.a`, countedTo(count), 0, context);
    await expect(append(100)).rejects.toThrow(/^\d+ bytes in one append; the event log takes 200 at once$/);
    expect(await store.head()).toBe(0);
    await append(5);
    expect(await store.head()).toBe(5);
  });

  it('writes many batches side by side, more than the server takes at once', async () => {
    const subjects = Array.from({ length: 120 }, (_, index) => `${log.stream}.${index}`);
    await Promise.all(subjects.map((subject) => log.store.append(subject, countedTo(5), 0, context)));
    for (const subject of subjects) expect(await numbers(log.store, subject)).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses an event over max_payload before anything is written, also as the last one of a batch', async () => {
    const huge: TestEvent = { type: 'Received', data: new Uint8Array(maxEventBytes(log.connection) + 16 * 1024) };
    for (const events of [[huge], [counted(1), huge]]) {
      await expect(log.store.append(subject, events, 0, context)).rejects.toThrow(EventTooLargeError);
    }
    expect(await log.store.head()).toBe(0);
  });

  it('takes an event of maxEventBytes', async () => {
    const data = new Uint8Array(maxEventBytes(log.connection)).fill(7);
    const longest = { correlationId: '😀'.repeat(128), causationId: 'c'.repeat(256), actor: '😀'.repeat(256) };
    await log.store.append(subject, [{ type: 'Received', data }], 0, longest);
    const [event] = (await log.store.load(subject)).events;
    expect(event).toMatchObject(longest);
    expect(event?.type === 'Received' && Buffer.from(event.data).equals(data)).toBe(true);
  });

  it('takes as large an event while the connection is lost and knows nothing of its server', async () => {
    let { info } = log.connection;
    const connection = Object.create(log.connection, { info: { get: () => info } });
    const store = connectEventStore({ ...log, connection, catalog, source: 'test' });
    const data = new Uint8Array(maxEventBytes(log.connection));
    info = undefined;
    await store.append(subject, [{ type: 'Received', data }], 0, context);
    expect(maxEventBytes(connection)).toBe(data.byteLength);
  });

  it('sends little of a large batch at a time, so that other callers of the connection need not wait for all of it', async () => {
    let unanswered = 0;
    let most = 0;
    const send = (data: unknown) => {
      unanswered += (data as Uint8Array).byteLength;
      most = Math.max(most, unanswered);
    };
    const { connection, stream } = log;
    const counting: typeof connection = Object.create(connection, {
      publish: {
        value: (...[subject, data, options]: Parameters<typeof connection.publish>) => {
          send(data);
          connection.publish(subject, data, options);
        },
      },
      request: {
        value: async (...[subject, data, options]: Parameters<typeof connection.request>) => {
          send(data);
          const answer = await connection.request(subject, data, options);
          unanswered = 0;
          return answer;
        },
      },
    });
    const store = connectEventStore({ connection: counting, stream, catalog, source: 'test' });
    const data = new Uint8Array(300_000);
    const events = Array.from({ length: 60 }, (): TestEvent => ({ type: 'Received', data }));
    expect(await store.append(`${stream}.a`, events, 0, context)).toMatchObject({ sequence: 60 });
    expect((await log.store.load(`${stream}.a`)).events).toHaveLength(60);
    expect(most).toBeLessThan(1_500_000);
  });

  it('refuses data that the schema refuses, an unknown type and a subject with wildcards', async () => {
    const append = (event: unknown, to = subject) => log.store.append(to, [event as TestEvent], 0, context);
    await expect(append({ type: 'Counted', data: { n: 'one' } })).rejects.toThrow(InvalidEventError);
    await expect(append({ type: 'Unheard', data: {} })).rejects.toThrow(InvalidEventError);
    await expect(append(counted(1), `${log.stream}.*`)).rejects.toThrow(RangeError);
    expect(await log.store.head()).toBe(0);
  });
});

describe('an id that the caller has chosen', () => {
  it('is written once, however often it comes, and every time the answer is where it stands', async () => {
    const append = () => log.store.append(subject, [counted(1)], 'any', { ...context, eventId: 'delivery 1' });
    const positions = await Promise.all(Array.from({ length: 20 }, append));
    expect(new Set(positions.map(({ sequence }) => sequence))).toEqual(new Set([1]));
    expect((await log.store.load(subject)).events.map(({ id }) => id)).toEqual(['delivery 1']);
  });

  it('is for one event only', async () => {
    const append = log.store.append(subject, countedTo(2), 'any', { ...context, eventId: 'delivery 1' });
    await expect(append).rejects.toThrow(RangeError);
  });
});

describe('an acknowledgement that is lost on the way', () => {
  const cases = [
    { what: 'one event', count: 1, expected: 2 as const },
    { what: 'a batch', count: 3, expected: 2 as const },
    { what: 'one event at any revision', count: 1, expected: 'any' as const },
    { what: 'a batch at any revision', count: 3, expected: 'any' as const },
  ];

  it.each(cases)('does not write $what twice, and still tells its position', async ({ count, expected }) => {
    await using proxy = await startLossyProxy(log.stack.natsUrl);
    await using proxied = await openTestLog(log.stack, proxy.url);
    const subject = `${proxied.stream}.a`;
    await proxied.store.append(subject, countedTo(2), 0, context);
    proxy.loseNextReply();
    const position = await proxied.store.append(subject, countedTo(count), expected, context);
    expect(proxy.lost()).toBe(1);
    expect(position.sequence).toBe(2 + count);
    expect(await numbers(proxied.store, subject)).toEqual([1, 2, ...countedTo(count).map((_, index) => index + 1)]);
  });

  it('is told from a conflict with another writer that was faster', async () => {
    await using proxy = await startLossyProxy(log.stack.natsUrl);
    await using proxied = await openTestLog(log.stack, proxy.url);
    const rival = connectEventStore({ connection: log.connection, stream: proxied.stream, catalog, source: 'rival' });
    const subject = `${proxied.stream}.a`;
    await rival.append(subject, [counted(1)], 0, context);
    proxy.loseNextReply();
    await expect(proxied.store.append(subject, [counted(2)], 0, context)).rejects.toThrow(ConflictError);
    expect(await numbers(rival, subject)).toEqual([1]);
  });

  it('is found also when others have already written after it', async () => {
    await using proxy = await startLossyProxy(log.stack.natsUrl);
    await using proxied = await openTestLog(log.stack, proxy.url);
    const rival = connectEventStore({ connection: log.connection, stream: proxied.stream, catalog, source: 'rival' });
    const subject = `${proxied.stream}.a`;
    proxy.loseNextReply();
    const appended = proxied.store.append(subject, countedTo(3), 0, context);
    await waitUntil(async () => (await rival.load(subject)).revision === 3);
    await rival.append(subject, [counted(4)], 3, context);
    expect((await appended).sequence).toBe(3);
    expect(await numbers(rival, subject)).toEqual([1, 2, 3, 4]);
  });
});

describe('a connection that is lost', () => {
  it('is waited for while it is not away for long', async () => {
    await using proxy = await startLossyProxy(log.stack.natsUrl);
    await using proxied = await openTestLog(log.stack, proxy.url);
    const subject = `${proxied.stream}.a`;
    await cutOff(proxied, proxy);
    const appended = proxied.store.append(subject, [counted(1)], 0, context);
    const loaded = proxied.store.load(subject);
    proxy.restore();
    expect((await appended).sequence).toBe(1);
    expect((await loaded).revision).toBeLessThanOrEqual(1);
  });

  it('ends an append and a load long before their time, and nothing is written when it is back', async () => {
    await using proxy = await startLossyProxy(log.stack.natsUrl);
    await using proxied = await openTestLog(log.stack, proxy.url);
    const store = connectEventStore({ ...proxied, catalog, source: 'patient', timeoutMs: 60_000 });
    const subject = `${proxied.stream}.a`;
    await cutOff(proxied, proxy);
    const began = performance.now();
    for (const ask of [() => store.append(subject, countedTo(2), 0, context), () => store.load(subject)]) {
      const refusal = await ask().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(EventLogUnavailableError);
      expect(refusal).toMatchObject({ mayBeWritten: false });
    }
    expect(performance.now() - began).toBeLessThan(10_000);
    proxy.restore();
    await waitUntil(async () => (await numbers(store, subject).catch(() => undefined)) !== undefined);
    expect(await store.head()).toBe(0);
  });

  it('in the middle of an append leaves open whether it was written', async () => {
    await using proxy = await startLossyProxy(log.stack.natsUrl);
    await using proxied = await openTestLog(log.stack, proxy.url);
    const subject = `${proxied.stream}.a`;
    const store = connectEventStore({ ...proxied, catalog, source: 'patient', timeoutMs: 60_000 });
    proxy.loseNextReply({ andStay: true });
    await expect(store.append(subject, [counted(1)], 0, context)).rejects.toMatchObject({
      name: 'EventLogUnavailableError',
      mayBeWritten: true,
    });
    const rival = connectEventStore({ connection: log.connection, stream: proxied.stream, catalog, source: 'rival' });
    expect(await numbers(rival, subject)).toEqual([1]);
  });
});

it.each([1, 2])('names the refusal of NATS when that may store no more, for an append of %i events', async (events) => {
  await using nats = await startTestNats({ maxStoreBytes: 1 });
  const connection = await connectTo(nats.server.url);
  onTestFinished(() => connection.close());
  await ensureStream(connection, { name: 'L', subjects: ['L.>'], replicas: 1 });
  const store = connectEventStore({ connection, stream: 'L', catalog, source: 'test', timeoutMs: 50 });
  const patient = connectEventStore({ connection, stream: 'L', catalog, source: 'test' });
  await patient.append('L.a', [counted(1)], 'any', context);
  const refusal = await store.append('L.b', countedTo(events), 0, context).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EventLogUnavailableError);
  expect(refusal).toMatchObject({
    mayBeWritten: false,
    message: expect.stringMatching(/insufficient resources \(10023\)/),
  });
  expect(refusal).toMatchObject({ cause: { cause: { name: 'JetStreamApiError', code: 10_023 } } });
});

/** Breaks the connection and waits until the client has noticed. */
async function cutOff({ connection }: TestLog, proxy: LossyProxy): Promise<void> {
  const statuses = connection.status();
  proxy.cut();
  for await (const { type } of statuses) if (type === 'disconnect') return;
}
