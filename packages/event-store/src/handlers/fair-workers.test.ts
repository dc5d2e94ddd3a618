import { setTimeout as pause } from 'node:timers/promises';
import { scaled, waitUntil } from '@mneme/local-stack/testing';
import { describe, expect } from 'vitest';
import { openEraser } from '../erasure/eraser.ts';
import {
  context,
  counted,
  countedTo,
  handlerOptions,
  it,
  type LogWithHandlers,
  type TestEvent,
} from '../testing/test-log.ts';
import type { HandlerOptions } from './handler-options.ts';
import { runHandler } from './run-handler.ts';

type Options = HandlerOptions<TestEvent, 'Counted'>;

/** Subjects are `<stream>.<tenant>.<member>`. */
const run = (log: LogWithHandlers, options: Partial<Options> & Pick<Options, 'handle'>) =>
  log.run({
    ownerOf: ({ subject }) => {
      const [, tenant = '', member = ''] = subject.split('.');
      return [tenant, member];
    },
    ...options,
  });

/** Queues this many events of one tenant. */
async function queue({ store, stream }: LogWithHandlers, tenant: string, count: number) {
  for (let from = 0; from < count; from += 1_000) {
    await store.append(`${stream}.${tenant}.x`, countedTo(Math.min(1_000, count - from)), 'any', context);
  }
}

const tenantOf = ({ subject }: { subject: string }) => subject.split('.')[1] ?? '';

describe.concurrent('a handler that lets tenants take turns', () => {
  it('handles what one tenant queues after thousands of another before these are done', async ({ log }) => {
    const queued = scaled({ full: 6_000, short: 4_000 });
    await queue(log, 'a', queued);
    await queue(log, 'b', 1);
    const order: string[] = [];
    const handler = await run(log, {
      handle: async (event) => {
        await pause(1);
        order.push(tenantOf(event));
      },
    });
    await waitUntil(() => order.includes('b'));
    expect(order.indexOf('b')).toBeLessThan(3_000);
    await waitUntil(async () => order.length === queued + 1 && (await handler.pending()) === 0, 40_000);
    expect(order).toHaveLength(queued + 1);
  });

  it('has workers left for a tenant with nothing in work, when all others are busy for long', async ({ log }) => {
    const ending = Promise.withResolvers<void>();
    const seen: string[] = [];
    await queue(log, 'a', 50);
    await run(log, {
      handle: async (event) => {
        seen.push(tenantOf(event));
        if (tenantOf(event) === 'a') await ending.promise;
      },
    });
    await waitUntil(() => seen.length === 4);
    await queue(log, 'b', 3);
    await waitUntil(() => seen.filter((tenant) => tenant === 'b').length === 3);
    expect(seen.filter((tenant) => tenant === 'a')).toHaveLength(4);
    ending.resolve();
    await waitUntil(() => seen.length === 53);
  });

  it('leaves the events of an owner that is held back waiting, and handles the others', async ({ log }) => {
    const held = new Set(['a']);
    const seen: string[] = [];
    await queue(log, 'a', 20);
    await queue(log, 'b', 5);
    const handler = await run(log, {
      isHeldBack: ([tenant]) => held.has(tenant),
      handle: async (event) => seen.push(tenantOf(event)),
    });
    await waitUntil(() => seen.length === 5);
    await pause(300);
    expect(seen).toEqual(Array(5).fill('b'));
    held.clear();
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(seen.slice(5)).toEqual(Array(20).fill('a'));
  });

  it('holds nothing back when the events that wait take half of the room', async ({ log }) => {
    const seen: string[] = [];
    await queue(log, 'a', 20);
    await queue(log, 'b', 1);
    await run(log, {
      readAhead: 20,
      isHeldBack: ([tenant]) => tenant === 'a',
      handle: async (event) => seen.push(tenantOf(event)),
    });
    await waitUntil(() => seen.includes('b'));
    expect(seen.filter((tenant) => tenant === 'a').length).toBeLessThan(15);
  });

  it('has one event of an owner in work at a time if it is told so, in their order, and others of the tenant meanwhile', async ({
    log,
  }) => {
    const ending = Promise.withResolvers<void>();
    const begun: string[] = [];
    const memberOf = ({ subject }: { subject: string }) => subject.split('.')[2] ?? '';
    for (const member of ['slow', 'quick'])
      await log.store.append(`${log.stream}.a.${member}`, countedTo(3), 'any', context);
    await run(log, {
      concurrency: 2,
      oneAtATime: true,
      handle: async (event) => {
        begun.push(`${memberOf(event)} ${event.data.n}`);
        if (memberOf(event) === 'slow') await ending.promise;
      },
    });
    await waitUntil(() => begun.includes('quick 3'));
    const of = (member: string) => begun.filter((each) => each.startsWith(member));
    expect([of('slow'), of('quick')]).toEqual([['slow 1'], ['quick 1', 'quick 2', 'quick 3']]);
    ending.resolve();
    await waitUntil(() => begun.length === 6);
    expect(of('slow')).toEqual(['slow 1', 'slow 2', 'slow 3']);
  });

  it.for([
    [undefined, 2],
    [1, 1],
  ] as const)(
    'has only some workers for what takes long, also of the same tenant (%j: %i)',
    async ([maxLarge, atOnce], { log }) => {
      const ending = Promise.withResolvers<void>();
      const seen: string[] = [];
      const memberOf = ({ subject }: { subject: string }) => subject.split('.')[2] ?? '';
      for (const member of ['l1', 'l2', 'l3', 'l4']) {
        await log.store.append(`${log.stream}.a.${member}`, countedTo(2), 'any', context);
      }
      await run(log, {
        isLarge: (message) => memberOf(message).startsWith('l'),
        maxLarge,
        handle: async (event) => {
          seen.push(memberOf(event));
          if (memberOf(event).startsWith('l')) await ending.promise;
        },
      });
      await waitUntil(() => seen.length === atOnce);
      await log.store.append(`${log.stream}.a.s1`, countedTo(6), 'any', context);
      await waitUntil(() => seen.filter((member) => member === 's1').length === 6);
      expect(seen).toHaveLength(atOnce + 6);
      ending.resolve();
      await waitUntil(() => seen.length === 14);
    },
  );

  it('lets large and small work of a tenant take turns with a single worker', async ({ log }) => {
    const seen: string[] = [];
    for (const member of ['large', 'small'])
      await log.store.append(`${log.stream}.a.${member}`, countedTo(3), 'any', context);
    await run(log, {
      concurrency: 1,
      isLarge: ({ subject }) => subject.endsWith('.large'),
      handle: async ({ subject }) => {
        await pause(50);
        seen.push(subject.split('.')[2] ?? '');
      },
    });
    await waitUntil(() => seen.length === 6);
    expect(seen).toEqual(['large', 'small', 'large', 'small', 'large', 'small']);
  });

  it('keeps what it works on and what waits for longer than a silent instance may, so that all is handled once', async ({
    log,
  }) => {
    await queue(log, 'a', 40);
    const { ackWaitMs } = handlerOptions(log);
    const handled: number[] = [];
    const handle: Options['handle'] = async (event) => {
      handled.push(event.data.n);
      await pause(handled.length === 1 ? 1.5 * ackWaitMs : 10);
    };
    const handler = await run(log, { concurrency: 1, handle });
    await waitUntil(() => handled.length === 1);
    // Would be handed what the first one does not keep.
    await run(log, { concurrency: 1, handle });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(handled.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  it('gives an instance that is started later a part of what waits', async ({ log }) => {
    await queue(log, 'a', 60);
    const by: string[] = [];
    const slow = (name: string) => async () => {
      by.push(name);
      await pause(250);
    };
    const first = await run(log, { concurrency: 2, handle: slow('first') });
    await waitUntil(() => by.length > 0);
    await run(log, { concurrency: 2, handle: slow('second') });
    await waitUntil(async () => (await first.pending()) === 0);
    expect(by).toHaveLength(60);
    expect(by.filter((name) => name === 'second').length).toBeGreaterThan(5);
  });

  it('offers nothing to others if an owner is to have one event in work at a time', async ({ log }) => {
    await queue(log, 'a', 12);
    const begun: number[] = [];
    let [atOnce, most] = [0, 0];
    const options: Pick<Options, 'concurrency' | 'oneAtATime' | 'handle'> = {
      concurrency: 2,
      oneAtATime: true,
      handle: async (event) => {
        begun.push(event.data.n);
        atOnce += 1;
        most = Math.max(most, atOnce);
        await pause(250);
        atOnce -= 1;
      },
    };
    const first = await run(log, options);
    await waitUntil(() => begun.length > 0);
    await run(log, options);
    await waitUntil(async () => (await first.pending()) === 0);
    expect([begun, most]).toEqual([Array.from({ length: 12 }, (_, index) => index + 1), 1]);
  });

  it('gives back what waits when it is stopped, and lets what is in work end', async ({ log }) => {
    await queue(log, 'a', 30);
    const seen = new Set<number>();
    const first = await run(log, {
      concurrency: 2,
      ackWaitMs: 60_000,
      handle: async (event) => {
        await pause(50);
        seen.add(event.data.n);
      },
    });
    await waitUntil(() => seen.size >= 2);
    await first.stop();
    expect(seen.size).toBeLessThan(10);
    const second = await run(log, { ackWaitMs: 60_000, handle: async (event) => void seen.add(event.data.n) });
    await waitUntil(() => seen.size === 30);
    await waitUntil(async () => (await second.pending()) === 0);
  });

  it('gets only headers if it wants so, also as an earlier durable, and reads the data of what concerns it', async ({
    log,
  }) => {
    const texts = Array.from({ length: 12 }, (_, index) => ({ text: `${index} ${'x'.repeat(500_000)}` }));
    const seen: string[] = [];
    const noting = { ...handlerOptions(log), types: ['Noted'] as const, concurrency: 1 };
    const note = async ({ data }: { data: { text: string } }) => void seen.push(data.text);
    // As it was made by a release that got all data.
    await (await runHandler<TestEvent, 'Noted'>({ ...noting, handle: note })).stop();
    for (const data of texts) await log.store.append(`${log.stream}.a.x`, [{ type: 'Noted', data }], 'any', context);
    const { inBytes } = log.connection.stats();
    const handler = await runHandler<TestEvent, 'Noted'>({
      ...noting,
      headersOnly: true,
      concerns: ({ sequence }) => sequence === 3 || sequence === 7,
      handle: note,
    });
    await waitUntil(async () => (await handler.pending()) === 0);
    expect(seen).toEqual([texts[2]?.text, texts[6]?.text]);
    expect(log.connection.stats().inBytes - inBytes).toBeLessThan(1_100_000);
    await handler.stop();
    // As by another release, whose handler wants all data.
    log.stopAtEnd(await runHandler<TestEvent, 'Noted'>({ ...noting, handle: note }));
    await log.store.append(`${log.stream}.a.x`, [{ type: 'Noted', data: { text: 'whole' } }], 'any', context);
    await waitUntil(() => seen.at(-1) === 'whole');
  });

  it('reads data again that were too much to be held, and passes over what was erased meanwhile', async ({ log }) => {
    const large = { type: 'Noted', data: { text: 'x'.repeat(900_000) } } as const;
    for (let count = 0; count < 60; count += 1) {
      await log.store.append(`${log.stream}.a.x`, [large], 'any', context);
    }
    const sequences: number[] = [];
    const handler = await runHandler<TestEvent, 'Noted'>({
      ...handlerOptions(log),
      types: ['Noted'],
      concurrency: 1,
      ackWaitMs: 5_000,
      ownerOf: () => ['a', 'x'],
      handle: async (event) => {
        if (sequences.length === 0) await openEraser(log.connection, log.stream).erase([59]);
        expect(event.data.text).toHaveLength(900_000);
        sequences.push(event.position.sequence);
      },
    });
    log.stopAtEnd(handler);
    await waitUntil(async () => (await handler.pending()) === 0);
    const left = Array.from({ length: 60 }, (_, index) => index + 1).filter((sequence) => sequence !== 59);
    expect(sequences.toSorted((one, other) => one - other)).toEqual(left);
  });

  it('handles everything although the server is killed and restarted in the middle', { concurrent: false }, async ({
    log,
  }) => {
    await queue(log, 'a', 100);
    const seen = new Set<number>();
    const handler = await run(log, {
      handle: async (event) => {
        await pause(5);
        seen.add(event.data.n);
      },
    });
    await waitUntil(() => seen.size > 20);
    await log.stack.servers.nats.kill();
    await log.stack.servers.nats.start();
    const appended = () => log.store.append(`${log.stream}.b.x`, [counted(101)], 'any', context);
    // The connection returns later on a busy machine than an append waits.
    await waitUntil(() =>
      appended().then(
        () => true,
        () => false,
      ),
    );
    await waitUntil(() => seen.size === 101);
    await waitUntil(async () => (await handler.pending()) === 0);
  });
});
