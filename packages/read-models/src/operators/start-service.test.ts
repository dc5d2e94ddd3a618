import { setTimeout as pause } from 'node:timers/promises';
import { endpointsOf, readModelEndpoints, WireError } from '@mneme/contracts';
import { atFullLength, scaled } from '@mneme/local-stack/testing';
import { createClient, createMetrics, runChecks, startService } from '@mneme/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { logger, useTestSystem } from '../testing/test-read-model.ts';
import { type StartedReadModels, startReadModelService } from './start-service.ts';

// Instances of a service whose releases have other forms of its read model, as during a rolling upgrade.

const system = useTestSystem();
const name = 'sums';
const whoAnswers = endpointsOf(name)('who-answers', {}, z.string());
const closing: (() => Promise<void> | void)[] = [];
const releasing: (() => void)[] = [];
afterEach(async () => {
  // A service that ends waits for what it writes.
  for (const release of releasing.splice(0)) release();
  for (const close of closing.splice(0).reverse()) await close();
});

/** How long an instance waits whose writes are held back, so that it cannot answer, in milliseconds. */
const shortly = 500;

/** Starts an instance of the service, whose read model has this form, or that tells its own name. */
async function startInstance(
  form: string,
  startWaitMs?: number,
  {
    name: own = form,
    isCutOff = () => false as boolean,
    isSlow = async () => false,
    work = {} as Partial<StartedReadModels>,
  } = {},
) {
  const { connectTo, db, stack, store } = system.parts;
  const config = { STREAM_REPLICAS: 1, MONGODB_URL: stack.mongodbUrl, MONGODB_DATABASE: db.databaseName };
  const process = { connection: await connectTo(), logger, metrics: createMetrics() };
  const instance = await startReadModelService(
    { ...process, name, config, streams: [] },
    async ({ service, isAside }) => {
      const readModel = await system.start({ form }, startWaitMs, isAside);
      service.serve(whoAnswers, () => {
        readModel.contents();
        return own;
      });
      const checks = { store: async () => (await isSlow()) || !isCutOff() };
      return { readModels: [readModel], store, checks, about: {}, stop: async () => undefined, ...work };
    },
  );
  const stop = once(() => instance.stop());
  closing.push(stop);
  return { ...instance, stop };
}

function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

/** Holds back what is written from now on, until it is called. */
function holdWrites(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  system.faults.beforeWrite = () => promise;
  releasing.push(resolve);
  return resolve;
}

/** Asks often enough to reach each instance that takes requests. @returns the forms, and the codes of refusals */
async function answers(): Promise<string[]> {
  const client = createClient({ connection: await system.parts.connectTo() });
  const ask = () =>
    client
      .request(whoAnswers, {}, { correlationId: 'test', timeoutMs: 20_000 })
      .catch((error: unknown) => (error instanceof WireError ? error.code : String(error)));
  const given = await Promise.all(Array.from({ length: 50 }, ask));
  client.close();
  return [...new Set(given)].sort();
}

/** The versions that operators see, as one instance or another has them, and whether that takes requests. */
async function versionsSeen(): Promise<string[]> {
  const client = createClient({ connection: await system.parts.connectTo() });
  const { status } = readModelEndpoints(name);
  const ask = () => client.request(status, {}, { correlationId: 'test', timeoutMs: 20_000 });
  const given = await Promise.all(Array.from({ length: 50 }, ask));
  client.close();
  const seen = given.map(({ takesRequests, readModels }) => `${readModels[0]?.versions[0]?.form}: ${takesRequests}`);
  return [...new Set(seen)].sort();
}

it('an instance whose version is being built leaves requests to those that can answer, and operators see it', async () => {
  await system.count('a', 1);
  await startInstance('1');
  const release = holdWrites();
  const newer = await startInstance('2', shortly);
  expect(await answers()).toEqual(['1']);
  expect(await versionsSeen()).toEqual(['1: true', '2: false']);
  expect(newer.checks?.requests?.()).toContain('Other instances answer');
  release();
  await expect.poll(answers).toEqual(['1', '2']);
  expect(newer.checks?.requests?.()).toBe(true);
});

it('it takes requests when the others are gone, so that callers are told why', async () => {
  await system.count('a', 1);
  const older = await startInstance('1');
  holdWrites();
  await startInstance('2', shortly);
  expect(await answers()).toEqual(['1']);
  await older.stop();
  await expect.poll(answers).toEqual(['REBUILDING']);
});

it.runIf(atFullLength)(
  'it builds on when its store is slow, since no other instance may have that version',
  async () => {
    await system.count('a', 1);
    await startInstance('1');
    holdWrites();
    const newer = await startInstance('2', shortly, { isCutOff: () => true });
    await expect.poll(() => newer.checks?.requests?.(), { timeout: 10_000 }).toContain('until its stores answer');
    // Longer than it takes to renew the leases.
    await pause(2_500);
    const lanes = newer.readModels[0]?.status().map(({ form, lanes: held }) => [form, held.length]);
    expect(lanes).toEqual([['2', 4]]);
  },
);

it('a single instance takes requests at once', async () => {
  await system.count('a', 1);
  holdWrites();
  await startInstance('1', shortly);
  expect(await answers()).toEqual(['REBUILDING']);
});

it('instances of releases that always take requests count as well', async () => {
  await system.count('a', 1);
  const connection = await system.parts.connectTo();
  const earlier = startService({ connection, name, version: '0.0.1', logger });
  closing.push(() => earlier.stop());
  earlier.serve(whoAnswers, () => 'earlier');
  earlier.announce();
  await connection.flush();
  const release = holdWrites();
  await startInstance('1', shortly);
  expect(await answers()).toEqual(['earlier']);
  release();
  await expect.poll(answers).toEqual(['1', 'earlier']);
});

it('without its stream, it is the event log that is missing, and not NATS', async () => {
  const { connection, stream } = system.parts;
  const { checks = {} } = await startInstance('1');
  const { streams } = await jetstreamManager(connection);
  const { config } = await streams.info(stream);
  await streams.delete(stream);
  onTestFinished(async () => void (await streams.add(config)));
  const message = `The stream ${stream} is missing`;
  expect((await runChecks(checks)).checks).toMatchObject({ nats: 'ok', 'event-log': message });
  const client = createClient({ connection: await system.parts.connectTo() });
  const { status } = readModelEndpoints(name);
  const report = () => client.request(status, {}, { correlationId: 'test', timeoutMs: 20_000 });
  expect((await report()).unavailable).toEqual(['event-log']);
  await expect.poll(async () => (await report()).readModels[0]?.versions[0]?.reason, { timeout: 20_000 }).toBe(message);
  client.close();
});

describe('an instance that cannot reach a store', () => {
  const cutOff = new Set<string>();
  /** How long the store takes for an answer, in milliseconds. */
  let slowMs = 0;
  afterEach(() => {
    cutOff.clear();
    slowMs = 0;
  });
  const isSlow = async () => {
    await pause(slowMs);
    return slowMs > 0;
  };
  const start = (own: string) => startInstance('1', undefined, { name: own, isCutOff: () => cutOff.has(own), isSlow });
  const lanesOf = ({ readModels }: Awaited<ReturnType<typeof start>>) => readModels[0]?.status()[0]?.lanes.length;
  const slowly = { timeout: 15_000 };

  it('leaves requests and lanes to another one that can, and takes its share again when it can', async () => {
    const [first, second] = [await start('first'), await start('second')];
    await expect.poll(() => [lanesOf(first), lanesOf(second)], slowly).toEqual([2, 2]);
    expect(await answers()).toEqual(['first', 'second']);
    cutOff.add('first');
    await expect.poll(answers, slowly).toEqual(['second']);
    await expect.poll(() => [lanesOf(first), lanesOf(second)], slowly).toEqual([0, 4]);
    expect(first.checks?.requests?.()).toBe('Other instances answer requests until its stores answer this one again');
    expect(await versionsSeen()).toEqual(['1: true']);
    cutOff.clear();
    await expect.poll(answers, slowly).toEqual(['first', 'second']);
    await expect.poll(() => [lanesOf(first), lanesOf(second)], slowly).toEqual([2, 2]);
    expect(first.checks?.requests?.()).toBe(true);
  });

  it.runIf(atFullLength)('takes requests and lanes again when no other one is there any more', async () => {
    const [first, second] = [await start('first'), await start('second')];
    cutOff.add('first');
    await expect.poll(answers, slowly).toEqual(['second']);
    await expect.poll(() => lanesOf(first), slowly).toBe(0);
    await second.stop();
    await expect.poll(answers, slowly).toEqual(['first']);
    // The read model of the other one goes on here.
    await expect.poll(() => lanesOf(first), slowly).toBe(2);
  });

  it('gives up what waits for a store also while it ends', async () => {
    await start('first');
    const { promise: givenUp, resolve } = Promise.withResolvers<void>();
    let isEnding = false;
    const giveUp = () => {
      if (isEnding) resolve();
    };
    const stop = () => {
      isEnding = true;
      return givenUp;
    };
    const second = await startInstance('1', undefined, {
      isCutOff: () => cutOff.has('second'),
      work: { giveUp, stop },
    });
    releasing.push(resolve);
    cutOff.add('second');
    await expect.poll(() => second.checks?.requests?.(), slowly).not.toBe(true);
    expect(await Promise.race([second.stop().then(() => 'ended'), pause(5_000, 'waits')])).toBe('ended');
  });

  it.runIf(atFullLength)('does not leave when the store is slow for all, and all go on as before', async () => {
    const names = ['first', 'second', 'third'];
    for (const each of names) {
      await start(each);
      await pause(300);
    }
    slowMs = 4_000;
    const expectAll = async (forMs: number) => {
      const until = performance.now() + forMs;
      while (performance.now() < until) expect(await answers()).toEqual(names);
    };
    await expectAll(9_000);
    slowMs = 0;
    // One of them finds first that the store answers again; the others do not leave for the time until they find that, too.
    await expectAll(6_000);
  });

  it('does not leave when the others have lost theirs as well, so that callers are always told why', async () => {
    await Promise.all(['first', 'second', 'third'].map(start));
    expect(await answers()).toEqual(['first', 'second', 'third']);
    for (const each of ['first', 'second', 'third']) cutOff.add(each);
    const seen = new Set<string>();
    const until = performance.now() + scaled({ full: 8_000, short: 5_000 });
    while (performance.now() < until) for (const each of await answers()) seen.add(each);
    expect([...seen].sort()).toEqual(['first', 'second', 'third']);
    cutOff.delete('second');
    await expect.poll(answers, slowly).toEqual(['second']);
  });
});
