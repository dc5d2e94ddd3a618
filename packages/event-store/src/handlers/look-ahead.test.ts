import { setTimeout as pause } from 'node:timers/promises';
import { defineEvent, type EventOf, eventCatalog } from '@mneme/contracts';
import { waitUntil } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { openEraser } from '../erasure/eraser.ts';
import { connectEventStore } from '../event-store.ts';
import {
  connectTo,
  context,
  countedTo,
  handlerOptions,
  it,
  type LogWithHandlers,
  type TestEvent,
} from '../testing/test-log.ts';
import type { HandlerOptions } from './handler-options.ts';
import { type RunningHandler, runHandler } from './run-handler.ts';

type Options = HandlerOptions<TestEvent, 'Counted'>;
type Handle = Pick<Options, 'handle'>;

const tenantOf = ({ subject }: { subject: string }) => subject.split('.')[1] ?? '';

const readAhead = 300;
/** How many events of one owner are taken ahead at once: there are three workers, one of them in reserve. */
const perOwner = 50;

const options = (log: LogWithHandlers, more: Partial<Options> & Handle): Options => ({
  ...handlerOptions(log),
  types: ['Counted'],
  ownerOf: ({ subject }) => [tenantOf({ subject }), subject],
  concurrency: 2,
  oneAtATime: true,
  readAhead,
  ackWaitMs: 20_000,
  ...more,
});

async function queue({ store, stream }: LogWithHandlers, tenant: string, count: number, member = 'x') {
  for (let from = 0; from < count; from += 1_000)
    await store.append(`${stream}.${tenant}.${member}`, countedTo(Math.min(1_000, count - from)), 'any', context);
}

const run = async (log: LogWithHandlers, more: Partial<Options> & Handle): Promise<RunningHandler> =>
  log.stopAtEnd(await runHandler<TestEvent, 'Counted'>(options(log, more)));

/** Records the events that begin, does not end those of `a` until it is told so, and does what is given for the others. */
function holdingUp(others: Options['handle'] = async () => undefined) {
  const ending = Promise.withResolvers<void>();
  const begun: { readonly tenant: string; readonly sequence: number; readonly deliveryCount: number }[] = [];
  const handle: Options['handle'] = async (event, control) => {
    const { sequence } = event.position;
    begun.push({ tenant: tenantOf(event), sequence, deliveryCount: control.deliveryCount });
    await (tenantOf(event) === 'a' ? ending.promise : others(event, control));
  };
  const of = (tenant: string) => begun.filter((each) => each.tenant === tenant).map(({ sequence }) => sequence);
  return { handle, of, begun, end: () => ending.resolve() };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const consumerOf = async ({ connection, stream }: LogWithHandlers) =>
  (await jetstreamManager(connection)).consumers.info(stream, 'counting');

/** The keys of events of a log whose failures were counted. */
async function countedFailures({ connection, stream }: LogWithHandlers): Promise<string[]> {
  const { streams } = await jetstreamManager(connection);
  const subjects_filter = `$KV.handler-attempts.${stream}.>`;
  const info = await streams.info('KV_handler-attempts', { subjects_filter }).catch(() => undefined);
  return Object.keys(info?.state.subjects ?? {});
}

const untilSettled = (handler: RunningHandler) => waitUntil(async () => (await handler.pending()) === 0, 30_000);

describe.concurrent('while a long queue of an owner with an event in work takes all the room', () => {
  it.for([1_000, 3_000])(
    'the event of another behind it is handled at once, and once (%i)',
    async (length, { log }) => {
      await queue(log, 'a', length);
      await queue(log, 'b', 1);
      const { handle, of, begun, end } = holdingUp();
      const handler = await run(log, { handle });
      await waitUntil(() => of('b').length > 0, 5_000);
      // None was put off.
      expect((await consumerOf(log)).delivered.consumer_seq).toBe(readAhead + 1);
      expect(of('a')).toEqual([1]);
      end();
      await untilSettled(handler);
      expect([of('a'), of('b')]).toEqual([range(1, length), [length + 1]]);
      expect(new Set(begun.map(({ deliveryCount }) => deliveryCount))).toEqual(new Set([1]));
      expect((await consumerOf(log)).delivered.consumer_seq).toBe(length + 1);
      expect(await countedFailures(log)).toEqual([]);
    },
  );

  it('what is appended later is found too, also while a second owner is busy', async ({ log }) => {
    await queue(log, 'b', 3);
    await queue(log, 'a', 1_000);
    const ending = Promise.withResolvers<void>();
    const { handle, begun, end } = holdingUp((event) => (tenantOf(event) === 'b' ? ending.promise : pause(0)));
    await run(log, { handle });
    await waitUntil(() => begun.length === 2);
    for (const tenant of ['c', 'd']) {
      await queue(log, tenant, 1);
      await waitUntil(() => begun.at(-1)?.tenant === tenant, 5_000);
    }
    expect(begun.map(({ tenant }) => tenant)).toEqual(['b', 'a', 'c', 'd']);
    ending.resolve();
    end();
  });

  it('another long queue is handled in order, each event once, and keeps no third one waiting', async ({ log }) => {
    await queue(log, 'b', 20);
    await queue(log, 'a', 400);
    await queue(log, 'b', perOwner);
    await queue(log, 'a', 400);
    await queue(log, 'b', perOwner);
    await queue(log, 'c', 1);
    const ofB = [...range(1, 20), ...range(421, 470), ...range(871, 920)];
    const { handle, of, begun, end } = holdingUp(() => pause(2));
    const handler = await run(log, { handle });
    await waitUntil(() => of('c').length > 0, 10_000);
    expect(of('b').length).toBeLessThan(ofB.length);
    await waitUntil(() => of('b').length === ofB.length, 30_000);
    expect([of('a'), of('b')]).toEqual([[21], ofB]);
    end();
    await untilSettled(handler);
    expect(of('a')).toEqual([...range(21, 420), ...range(471, 870)]);
    expect(begun).toHaveLength(ofB.length + 800 + 1);
  });

  it.for(['a.x a.y', 'a.x b.x c.x'])('owners of one tenant take turns (busy: %s)', async (busy, { log }) => {
    const owners = busy.split(' ').map((owner) => owner.split('.'));
    for (const [tenant = '', member] of owners) await queue(log, tenant, 400, member);
    await queue(log, 'a', 1, 'z');
    const members: string[] = [];
    await run(log, {
      readAhead: 400 * owners.length - 300,
      handle: async ({ subject }) => {
        members.push(subject.at(-1) ?? '');
        await pause(50);
      },
    });
    await waitUntil(() => members.includes('z'), 5_000);
    expect(members.length).toBeLessThan(150);
  });

  it('an event that is in work when it is handed out is handled once', async ({ log }) => {
    await queue(log, 'a', 400);
    await queue(log, 'b', 2);
    const ending = Promise.withResolvers<void>();
    const { handle, of, end } = holdingUp(() => ending.promise);
    const handler = await run(log, { handle });
    await waitUntil(() => of('b').length > 0, 5_000);
    end();
    await waitUntil(() => of('a').length === 400);
    await waitUntil(async () => (await consumerOf(log)).delivered.stream_seq === 402);
    ending.resolve();
    await untilSettled(handler);
    expect(of('b')).toEqual([401, 402]);
  });

  it('an event that fails is tried again when it is handed out, and those behind it wait for that', async ({ log }) => {
    await queue(log, 'a', 600);
    await queue(log, 'b', 5);
    let failures = 0;
    const { handle, of, begun, end } = holdingUp(async ({ position: { sequence } }) => {
      if (sequence !== 602 || failures === 2) return;
      failures += 1;
      throw new Error('Not yet');
    });
    const handler = await run(log, { handle, onExhausted: 'dead-letter', backoffMs: () => 1 });
    await waitUntil(() => failures === 1, 5_000);
    // Would be found meanwhile.
    await queue(log, 'b', 1);
    await queue(log, 'c', 1);
    await waitUntil(() => of('c').length > 0, 5_000);
    expect(of('b')).toEqual([601, 602]);
    end();
    await untilSettled(handler);
    expect(of('b').filter((sequence) => sequence !== 602)).toEqual([601, 603, 604, 605, 606]);
    const tries = begun.flatMap(({ sequence, deliveryCount }) => (sequence === 602 ? [deliveryCount] : []));
    expect(tries).toEqual([1, 1, 2]);
    expect([await countedFailures(log), await log.deadLetters()]).toEqual([
      [`$KV.handler-attempts.${log.stream}.counting.602`],
      [],
    ]);
  });

  it('an event that fails waits as long as it should, also when it is handed out soon', async ({ log }) => {
    await queue(log, 'a', 400);
    await queue(log, 'b', 1);
    const tries: number[] = [];
    const { handle, end } = holdingUp(async () => {
      if (tries.push(performance.now()) === 1) throw new Error('Not yet');
    });
    const handler = await run(log, { handle, backoffMs: () => 3_000 });
    await waitUntil(() => tries.length === 1, 5_000);
    end();
    await untilSettled(handler);
    expect(tries).toHaveLength(2);
    expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThan(2_900);
  });

  it('an event that ends the process every time is given up, and not those in front of it', async ({ log }) => {
    await queue(log, 'a', 3_000);
    await queue(log, 'b', 1);
    const ending = Promise.withResolvers<void>();
    const errors: string[] = [];
    for (let deaths = 0; errors.length === 0 && deaths < 20; deaths += 1) {
      const connection = await connectTo(log.stack.natsUrl);
      const handle: Options['handle'] = async (event) => {
        if (tenantOf(event) === 'a') return ending.promise;
        await connection.close();
      };
      const onExhausted = async ({ position }: { position: { sequence: number } }, error: Error) =>
        void errors.push(`${position.sequence}: ${error.message}`);
      const more = { handle, onExhausted, maxTries: 2, ackWaitMs: 400, stopTimeoutMs: 100 };
      const dying = await runHandler<TestEvent, 'Counted'>({ ...options(log, more), connection });
      await Promise.race([connection.closed(), waitUntil(() => errors.length > 0, 20_000)]);
      await dying.stop();
      await connection.close();
    }
    expect(errors).toEqual(['3001: Interrupted 2 times']);
    ending.resolve();
  });

  it('an event that is done ahead each time is not given up with one that ends the process', async ({ log }) => {
    await queue(log, 'a', 3_000);
    await queue(log, 'b', 1);
    await queue(log, 'c', 1);
    const ending = Promise.withResolvers<void>();
    const givenUp: number[] = [];
    const countsOfB = new Set<number>();
    for (let deaths = 0; givenUp.length === 0 && deaths < 20; deaths += 1) {
      const connection = await connectTo(log.stack.natsUrl);
      const handle: Options['handle'] = async (event, { deliveryCount }) => {
        if (tenantOf(event) === 'a') return ending.promise;
        if (tenantOf(event) === 'b') return void countsOfB.add(deliveryCount);
        await pause(300);
        await connection.close();
      };
      const onExhausted = async ({ position }: { position: { sequence: number } }) =>
        void givenUp.push(position.sequence);
      const more = { handle, onExhausted, maxTries: 2, ackWaitMs: 400, stopTimeoutMs: 100 };
      const dying = await runHandler<TestEvent, 'Counted'>({ ...options(log, more), connection });
      await Promise.race([connection.closed(), waitUntil(() => givenUp.length > 0, 20_000).then(() => pause(300))]);
      await dying.stop();
      await connection.close();
    }
    expect([givenUp, [...countsOfB]]).toEqual([[3_002], [1]]);
    ending.resolve();
  });

  it('only events of its types are handled, of no owner behind one of an unknown type, and none erased', async ({
    log,
  }) => {
    const newCatalog = eventCatalog([defineEvent('Weighed', { kg: z.number() })]);
    const newer = connectEventStore<EventOf<typeof newCatalog>>({ ...log, catalog: newCatalog, source: 'new' });
    await queue(log, 'a', 600);
    await log.store.append(`${log.stream}.b.x`, [{ type: 'Noted', data: { text: 'x' } }, ...countedTo(4)], 0, context);
    await newer.append(`${log.stream}.b.x`, [{ type: 'Weighed', data: { kg: 1 } }], 'any', context);
    await queue(log, 'b', 1);
    await queue(log, 'c', 1);
    const { handle, of, end } = holdingUp(async ({ position: { sequence } }) => {
      if (sequence === 602) await openEraser(log.connection, log.stream).erase([603]);
    });
    const handler = await run(log, { handle, concerns: ({ sequence }) => sequence !== 604 });
    await waitUntil(() => of('c').length > 0 && of('b').length === 2, 5_000);
    expect([of('b'), of('c')]).toEqual([[602, 605], [608]]);
    end();
    // That of the unknown type stays.
    await waitUntil(async () => (await handler.pending()) === 1, 20_000);
    expect([of('b'), of('c')]).toEqual([[602, 605, 607], [608]]);
  });

  it('nothing is lost when an instance is killed, and another begins from the first', async ({ log }) => {
    await queue(log, 'a', 600);
    await queue(log, 'b', 100);
    const connection = await connectTo(log.stack.natsUrl);
    const killed = holdingUp(() => pause(10));
    const more = { handle: killed.handle, ackWaitMs: 2_000 };
    log.stopAtEnd(await runHandler<TestEvent, 'Counted'>({ ...options(log, more), connection }));
    await waitUntil(() => killed.of('b').length > 20, 5_000);
    await connection.close();
    const seen = new Set<number>();
    const second = await run(log, {
      handle: async ({ position }) => void seen.add(position.sequence),
      ackWaitMs: 2_000,
    });
    await untilSettled(second);
    expect(seen.size).toBe(700);
    killed.end();
  });

  it('several instances may handle the same event, and none is lost', async ({ log }) => {
    await queue(log, 'a', 1_200);
    await queue(log, 'b', 40);
    const [one, other] = [holdingUp(() => pause(5)), holdingUp(() => pause(5))];
    const handlers = [await run(log, one), await run(log, other)] as const;
    const seen = () => new Set([...one.of('b'), ...other.of('b')]).size;
    await waitUntil(() => seen() === 40, 10_000);
    one.end();
    other.end();
    await untilSettled(handlers[0]);
    expect([...one.of('a'), ...other.of('a')].toSorted((first, second) => first - second)).toEqual(range(1, 1_200));
    for (const { of } of [one, other])
      expect(of('b')).toEqual([...new Set(of('b'))].toSorted((first, second) => first - second));
  });

  it('stopping ends it at once, and what was found is left to others', async ({ log }) => {
    await queue(log, 'a', 3_000);
    await queue(log, 'b', 100);
    const { handle, of, end } = holdingUp(() => pause(10));
    const first = await run(log, { handle, stopTimeoutMs: 100 });
    await waitUntil(() => of('b').length > 5, 5_000);
    const begunAt = performance.now();
    await first.stop();
    expect(performance.now() - begunAt).toBeLessThan(1_500);
    const done = of('b').length;
    expect(done).toBeLessThan(100);
    const seen = new Set<number>();
    const second = await run(log, { handle: async ({ position }) => void seen.add(position.sequence) });
    await untilSettled(second);
    expect([seen.size, of('b').length]).toEqual([3_100, done]);
    end();
  });
});
