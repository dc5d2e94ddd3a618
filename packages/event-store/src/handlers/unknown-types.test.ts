import { setTimeout as pause } from 'node:timers/promises';
import { defineEvent, type EventOf, eventCatalog } from '@mneme/contracts';
import { waitUntil } from '@mneme/local-stack/testing';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { connectEventStore } from '../event-store.ts';
import { context, counted, handlerOptions, useTestLog } from '../testing/test-log.ts';
import type { PulledMessage } from './pulled-message.ts';
import { runHandler } from './run-handler.ts';
import { createUnknownTypes } from './unknown-types.ts';

/** What the newer release knows beside the types of the old one. */
const newCatalog = eventCatalog([
  defineEvent('Counted', { n: z.number() }, { version: 2, upcasters: { 1: (data) => data } }),
  defineEvent('Weighed', { kg: z.number() }),
]);
type NewEvent = EventOf<typeof newCatalog>;

const log = useTestLog();

/** An instance of the old release, which has never heard of `Weighed`. */
function runOld(seen: unknown[], onUnknownType: (type: string) => void) {
  return log.run({ onUnknownType, handle: async (event) => void seen.push(event.data) });
}

async function runNew(seen: unknown[]) {
  const types = ['Counted', 'Weighed'] as const;
  const handle = async (event: NewEvent) => void seen.push(event.data);
  log.stopAtEnd(await runHandler({ ...handlerOptions(log), catalog: newCatalog, types, handle }));
}

/** One event that only the newer release knows, between two others. */
async function appendThree(event: NewEvent) {
  const newStore = connectEventStore<NewEvent>({ ...log, catalog: newCatalog, source: 'new' });
  await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
  await newStore.append(`${log.stream}.a`, [event], 1, context);
  await log.store.append(`${log.stream}.a`, [counted(3), { type: 'Noted', data: { text: 'x' } }], 2, context);
}

describe.each<[string, NewEvent]>([
  ['of a type', { type: 'Weighed', data: { kg: 2 } }],
  ['of a version of a type', { type: 'Counted', data: { n: 2 } }],
])('an event %s that the catalog lacks', (_what, event) => {
  it('waits for a newer release, while others are handled', async () => {
    const [seen, seenByNew]: [unknown[], unknown[]] = [[], []];
    const unknownTypes: string[] = [];
    await appendThree(event);
    const old = await runOld(seen, (type) => unknownTypes.push(type));
    await waitUntil(async () => seen.length === 2 && (await old.pending()) === 1 && unknownTypes.length > 0);
    // Longer than the wait for an acknowledgement: it is neither handled nor handed out again and again.
    await pause(1.5 * handlerOptions(log).ackWaitMs);
    expect(unknownTypes).toEqual([event.type]);
    expect([seen, await old.pending()]).toEqual([[{ n: 1 }, { n: 3 }], 1]);
    expect(await log.deadLetters()).toEqual([]);
    await runNew(seenByNew);
    await old.stop();
    await waitUntil(async () => (await old.pending()) === 0);
    expect(seenByNew).toEqual([event.data]);
  });
});

describe('what is said and kept of it', () => {
  function pulled(timeMs: number, { deliveryCount = 1, sequence = 7, data = new Uint8Array() } = {}) {
    const message = { sequence, subject: 's', stream: 'S', headers: undefined, data };
    const told = { ack: vi.fn(), nak: vi.fn(), working: vi.fn() };
    return { ...message, ...told, timeMs, deliveryCount } satisfies PulledMessage;
  }

  function held(...messages: readonly PulledMessage[]) {
    const lines = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const beating = new Set<PulledMessage>();
    const start = (message: PulledMessage) => {
      beating.add(message);
      return () => void beating.delete(message);
    };
    const heartbeats = { start, stop: () => undefined };
    const unknown = createUnknownTypes({ durable: 'counting', stream: 'S', logger: lines }, heartbeats);
    for (const message of messages) unknown.hold(message, 'Weighed');
    return { lines, unknown, beating };
  }

  it('is one warning a minute, however many there are', () => {
    const messages = Array.from({ length: 50 }, (_, index) => pulled(Date.now(), { sequence: 7 + index }));
    const { lines, unknown } = held(...messages);
    expect(lines.warn).toHaveBeenCalledOnce();
    expect(lines.warn.mock.calls[0]?.[0]).toMatchObject({ durable: 'counting', type: 'Weighed', sequence: 7 });
    unknown.stop();
    for (const message of messages) expect(message.nak).toHaveBeenCalledOnce();
  });

  it('is held without its data, and once however often it is handed out', () => {
    const [first, second] = [pulled(Date.now(), { data: new Uint8Array(9) }), pulled(Date.now(), { deliveryCount: 2 })];
    const { unknown, beating } = held(first, second);
    expect([...beating].map(({ deliveryCount, data }) => [deliveryCount, data.byteLength])).toEqual([[2, 0]]);
    unknown.stop();
    expect([first.nak.mock.calls.length, second.nak.mock.calls.length, beating.size]).toEqual([0, 1, 0]);
  });

  it('becomes an error after a day, and the event is still not acknowledged', () => {
    const old = pulled(Date.now() - 25 * 3_600_000, { deliveryCount: 40 });
    const { lines, unknown } = held(old);
    expect(lines.error).toHaveBeenCalledOnce();
    unknown.stop();
    expect(old.ack).not.toHaveBeenCalled();
    expect(old.nak).toHaveBeenCalledOnce();
  });
});
