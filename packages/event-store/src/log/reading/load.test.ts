import { defineEvent, eventCatalog } from '@mneme/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers as createHeaders } from '@nats-io/nats-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openEraser } from '../../erasure/eraser.ts';
import { EventLogUnavailableError, InvalidEventError, UnreadableEventError } from '../../errors.ts';
import { connectEventStore } from '../../event-store.ts';
import { changing } from '../../testing/slow-connections.ts';
import { catalog, context, counted, countedTo, type TestLog, useTestLog } from '../../testing/test-log.ts';
import type { Known } from './load.ts';

const log = useTestLog();
let subject: string;
beforeEach(() => {
  subject = `${log.stream}.a`;
});

describe('load', () => {
  it('finds nothing at revision 0 where nothing was appended', async () => {
    expect(await log.store.load(subject)).toEqual({ subject, events: [], revision: 0 });
    expect(await log.store.load(`${log.stream}.*`)).toEqual({ subject: undefined, events: [], revision: 0 });
  });

  it('resolves wildcards to the first literal subject and reads that one only', async () => {
    await log.store.append(`${log.stream}.x.1`, [counted(1)], 0, context);
    await log.store.append(`${log.stream}.y.1`, [counted(2)], 0, context);
    await log.store.append(`${log.stream}.x.1`, [counted(3)], 1, context);
    const loaded = await log.store.load(`${log.stream}.*.1`);
    expect(loaded).toMatchObject({ subject: `${log.stream}.x.1`, revision: 3 });
    expect(loaded.events.map((event) => event.data)).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('reads on where one answer of the server ends', async () => {
    await log.store.append(`${log.stream}.b`, [counted(0)], 0, context);
    for (let batch = 0; batch < 3; batch += 1) await log.store.append(subject, countedTo(1000), 'any', context);
    const { events, revision } = await log.store.load(subject);
    expect(events).toHaveLength(3000);
    expect(revision).toBe(3001);
    expect(new Set(events.map((event) => event.id)).size).toBe(3000);
  });

  it('leaves no subscription behind', async () => {
    await log.store.append(subject, [counted(1)], 0, context);
    for (let count = 0; count < 50; count += 1) await log.store.load(subject);
    expect(subscriptionsOf(log)).toBeLessThanOrEqual(1);
  });

  it('says that the log is unavailable when the stream is missing', async () => {
    const store = connectEventStore({ ...log, stream: 'NOWHERE', catalog, source: 'test', timeoutMs: 300 });
    await expect(store.load('nowhere.a')).rejects.toThrow(EventLogUnavailableError);
    await expect(store.append('nowhere.a', [counted(1)], 0, context)).rejects.toMatchObject({ mayBeWritten: false });
  });
});

describe('a fold that goes on from a known state', () => {
  const append = (log: TestLog) => log.store.append(subject, [counted(4)], 'any', context);
  const erase =
    (...sequences: number[]) =>
    (log: TestLog) =>
      openEraser(log.connection, log.stream).erase(sequences);

  it.each([
    { since: 'nothing', change: async () => undefined, pagesFrom: [], state: 6 },
    { since: 'an event was appended', change: append, pagesFrom: [3], state: 10 },
    { since: 'its last event was erased', change: erase(3), pagesFrom: [1], state: 3 },
    { since: 'all events were erased', change: erase(1, 2, 3), pagesFrom: [1], state: 0 },
  ])('asks for pages only where it needs them: $since', async ({ change, pagesFrom, state }) => {
    await log.store.append(subject, countedTo(3), 0, context);
    const { store, asked } = noting(log);
    const fold = (known?: Known<number>) =>
      store.fold(subject, (sum, event) => (event.type === 'Counted' ? sum + event.data.n : sum), 0, known);
    const known = await fold();
    await change(log);
    asked.length = 0;
    expect((await fold(known)).state).toBe(state);
    expect(asked[0]).toEqual({ last_by_subj: subject });
    expect(asked.slice(1)).toMatchObject(pagesFrom.map((seq) => ({ seq, batch: 1_000 })));
  });
});

describe('an event in the log', () => {
  it('is a CloudEvent in NATS binary mode', async () => {
    const store = connectEventStore({ ...log, catalog, source: 'test', clock: () => new Date(0), newId: () => 'id-1' });
    await store.append(subject, [counted(7)], 0, { ...context, causationId: 'cause', actor: 'user 1' });
    const message = await rawMessage(log, 1);
    expect(Object.fromEntries([...message.header].map(([name, values]) => [name, values[0]]))).toMatchObject({
      'Nats-Msg-Id': 'id-1',
      'ce-specversion': '1.0',
      'ce-id': 'id-1',
      'ce-type': 'Counted',
      'ce-source': 'test',
      'ce-time': '1970-01-01T00:00:00.000Z',
      'ce-subject': subject,
      'ce-dataschema': `mneme:${log.stream}/Counted/v1`,
      'content-type': 'application/json',
      'correlation-id': 'request-1',
      'causation-id': 'cause',
      actor: 'user%201',
    });
    expect(message.json()).toEqual({ n: 7 });
  });

  it('keeps any text in its context', async () => {
    const wild = { correlationId: 'a%20b', causationId: ' "\r\n: Zoë ', actor: '日本 😀 \u0000 \ud800' };
    await log.store.append(subject, [counted(1)], 0, wild);
    const [event] = (await log.store.load(subject)).events;
    expect(event).toMatchObject({ ...wild, actor: wild.actor.toWellFormed() });
  });

  it('keeps attributes as CloudEvents extensions, any text as their values', async () => {
    const attributes = { sourceip: '::1', deliveryid: 'a b\r\n%20 日本', constructor: 'plain', x1: '' };
    await log.store.append(subject, [counted(1)], 0, { ...context, attributes });
    const [event] = (await log.store.load(subject)).events;
    expect(event?.attributes).toEqual(attributes);
    const manager = await jetstreamManager(log.connection);
    const message = await manager.streams.getMessage(log.stream, { seq: 1 });
    expect(message?.header.get('ce-sourceip')).toBe('::1');
  });

  it.each(['id', 'Upper', 'with-dash', '', 'a'.repeat(21)])('refuses the attribute name "%s"', async (name) => {
    const append = log.store.append(subject, [counted(1)], 0, { ...context, attributes: { [name]: 'x' } });
    await expect(append).rejects.toThrow(InvalidEventError);
  });

  it('has a UUIDv7 and no cause or actor unless there are some', async () => {
    await log.store.append(subject, [counted(1)], 0, context);
    const [event] = (await log.store.load(subject)).events;
    expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(event).toMatchObject({ version: 1, source: 'test', causationId: undefined, actor: undefined });
    expect(event?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('keeps bytes as they came, none at all included', async () => {
    const bodies = [Uint8Array.of(0, 255, 13, 10), new Uint8Array()];
    const events = bodies.map((data) => ({ type: 'Received' as const, data }));
    await log.store.append(subject, events, 0, context);
    expect((await log.store.load(subject)).events.map((event) => event.data)).toEqual(bodies);
  });

  it('is brought up to the current version when it is read', async () => {
    await log.store.append(subject, [counted(1)], 0, context);
    const newer = eventCatalog([
      defineEvent(
        'Counted',
        { count: z.number(), unit: z.string() },
        {
          version: 3,
          upcasters: {
            1: (data) => ({ count: (data as { n: number }).n }),
            2: (data) => ({ ...(data as object), unit: 'pieces' }),
          },
        },
      ),
    ]);
    const store = connectEventStore({ ...log, catalog: newer, source: 'test' });
    await store.append(subject, [{ type: 'Counted', data: { count: 2, unit: 'kg' } }], 1, context);
    const { events } = await store.load(subject);
    expect(events.map(({ version, data }) => ({ version, ...data }))).toEqual([
      { version: 1, count: 1, unit: 'pieces' },
      { version: 3, count: 2, unit: 'kg' },
    ]);
    await expect(log.store.load(subject)).rejects.toThrow('Counted has version 3; this release knows 1');
  });
});

describe('last', () => {
  it('finds the last event of one subject, whatever was appended to others after it', async () => {
    expect(await log.store.last(subject)).toBeUndefined();
    await log.store.append(subject, countedTo(3), 0, context);
    await log.store.append(`${log.stream}.b`, [counted(9)], 0, context);
    const { events } = await log.store.load(subject);
    expect(await log.store.last(subject)).toEqual(events.at(-1));
    expect(events.at(-1)).toMatchObject({ data: { n: 3 }, position: { sequence: 3 } });
  });

  it('is read as it was written, whatever its subject, its headers and its data hold', async () => {
    const data = ',"data":"';
    const subject = `${log.stream}.${data}`;
    const received = new Uint8Array(300_000).map((_, n) => n % 256);
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode(data), received]) {
      await log.store.append(subject, [{ type: 'Received', data: bytes }], 'any', { correlationId: data });
      const { events } = await log.store.load(subject);
      expect(events.at(-1)?.data).toEqual(bytes);
      expect(await log.store.last(subject)).toEqual(events.at(-1));
    }
  });

  it('is found without being read, wildcards or not', async () => {
    expect(await log.store.lastPosition(`${log.stream}.>`)).toBeUndefined();
    await log.store.append(subject, countedTo(3), 0, context);
    const position = { stream: log.stream, sequence: 3 };
    expect(await log.store.lastPosition(subject)).toEqual({ subject, position });
    expect(await log.store.lastPosition(`${log.stream}.>`)).toEqual({ subject, position });
  });

  it('is not sent again to find that it is still the last one, if it is large', async () => {
    const large = [{ type: 'Received' as const, data: new Uint8Array(300_000) }];
    await log.store.append(subject, large, 0, context);
    const find = async () => {
      const before = log.connection.stats().inBytes;
      const found = await log.store.lastPosition(`${log.stream}.>`);
      return { sequence: found?.position.sequence, kilobytes: (log.connection.stats().inBytes - before) / 1_000 };
    };
    expect((await find()).kilobytes).toBeGreaterThan(300);
    const again = await find();
    expect(again.sequence).toBe(1);
    expect(again.kilobytes).toBeLessThan(10);
    await log.store.append(subject, [counted(1), ...large, counted(2)], 'any', context);
    expect((await find()).sequence).toBe(4);
    expect(await find()).toMatchObject({ sequence: 4, kilobytes: expect.toSatisfy((sent: number) => sent < 10) });
  });

  it('is asked for by its literal subject to find that it is still the last one, whatever pattern is given', async () => {
    await log.store.append(subject, [{ type: 'Received', data: new Uint8Array(300_000) }], 0, context);
    const { store, asked } = noting(log);
    const find = () => store.lastPosition(`${log.stream}.*`);
    const found = { subject, position: { stream: log.stream, sequence: 1 } };
    expect([await find(), await find()]).toEqual([found, found]);
    expect(asked).toEqual([{ last_by_subj: `${log.stream}.*` }, { seq: 2, next_by_subj: subject }]);
  });

  it('is not the one that was found before, if the log is an older one', async () => {
    await log.store.append(subject, [counted(1)], 0, context);
    await log.store.append(subject, [{ type: 'Received', data: new Uint8Array(300_000) }], 1, context);
    expect((await log.store.lastPosition(subject))?.position.sequence).toBe(2);
    const { streams } = await jetstreamManager(log.connection);
    const { config } = await streams.info(log.stream);
    await streams.delete(log.stream);
    await streams.add(config);
    expect(await log.store.lastPosition(subject)).toBeUndefined();
    await log.store.append(subject, [counted(1)], 0, context);
    expect((await log.store.lastPosition(subject))?.position.sequence).toBe(1);
  });

  it('of a stream that does not exist cannot be read', async () => {
    const store = connectEventStore({ connection: log.connection, stream: 'MISSING', catalog, source: 'test' });
    const error = await store.last('MISSING.a').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EventLogUnavailableError);
    expect(error).toMatchObject({
      name: 'StreamMissingError',
      message: 'The stream MISSING is missing',
      cause: { message: 'stream not found' },
    });
  });
});

describe('a message that is no event of the catalog', () => {
  const good = {
    'ce-specversion': '1.0',
    'ce-id': '1',
    'ce-type': 'Counted',
    'ce-source': 'x',
    'ce-time': '2026-01-01T00:00:00.000Z',
    'ce-dataschema': 'mneme:T/Counted/v1',
  };

  it.each([
    ['has no headers', undefined, '{"n":1}', 'no CloudEvent'],
    ['is no CloudEvent', { ...good, 'ce-specversion': '' }, '{"n":1}', 'no CloudEvent'],
    ['has no id', { ...good, 'ce-id': '' }, '{"n":1}', 'ce-id is missing'],
    ['has no version', { ...good, 'ce-dataschema': 'x' }, '{"n":1}', 'names no version'],
    ['has an unknown type', { ...good, 'ce-type': 'Unheard' }, '{"n":1}', 'Unheard is not known'],
    ['is newer than known', { ...good, 'ce-dataschema': 'mneme:T/Counted/v2' }, '{"n":1}', 'version 2'],
    ['is no JSON', good, '{"n":', 'not readable'],
    ['is off its schema', good, '{"n":"one"}', 'do not fit: n:'],
  ])('is refused with its position when it %s', async (_what, fields, data, reason) => {
    const headers = createHeaders();
    for (const [name, value] of Object.entries(fields ?? {})) headers.set(name, value);
    await log.connection.request(subject, data, fields ? { headers, timeout: 2000 } : { timeout: 2000 });
    const error = await log.store.load(subject).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UnreadableEventError);
    expect(error).toMatchObject({ position: { stream: log.stream, sequence: 1 } });
    expect(error.reason).toContain(reason);
  });
});

/** The store, and what it asks for messages. */
function noting(log: TestLog) {
  const asked: unknown[] = [];
  const note = (subject: string, data: unknown) => {
    if (/^\$JS\.API\.(DIRECT|STREAM\.MSG)\.GET\./.test(subject)) asked.push(JSON.parse(String(data)));
  };
  const connection = changing(log.connection, {
    publish: (subject, data, options) => {
      note(subject, data);
      log.connection.publish(subject, data, options);
    },
    request: (subject, data, options) => {
      note(subject, data);
      return log.connection.request(subject, data, options);
    },
  });
  return { store: connectEventStore({ ...log, connection, catalog, source: 'test' }), asked };
}

async function rawMessage(log: TestLog, seq: number) {
  const message = await (await jetstreamManager(log.connection)).streams.getMessage(log.stream, { seq });
  if (!message) throw new Error(`No message ${seq}`);
  return message;
}

/** The client keeps its subscriptions to itself; only this test looks. One is for the answers to all requests. */
function subscriptionsOf(log: TestLog): number {
  const { protocol } = log.connection as unknown as { protocol: { subscriptions: { size(): number } } };
  return protocol.subscriptions.size();
}
