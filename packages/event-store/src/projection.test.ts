import { type Stack, startTestStack } from '@mneme/local-stack';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FencedError } from './errors.ts';
import { followProjection } from './projection/follow-projection.ts';
import type { Projection } from './projection/projection.ts';
import type { ProjectionOptions } from './projection/projection-options.ts';
import { type RunningProjection, runProjection } from './projection/run-projection.ts';
import { createReadModel, type MemoryReadModel, memoryProjection } from './testing/memory-projection.ts';
import {
  catalog,
  context,
  counted,
  countedTo,
  logger,
  openTestLog,
  type TestEvent,
  type TestLog,
} from './testing/test-log.ts';
import { waitUntil } from './testing/wait-until.ts';

let stack: Stack;
let log: TestLog;
const running: RunningProjection[] = [];
beforeAll(async () => {
  stack = await startTestStack({ servers: ['nats'] });
});
beforeEach(async () => {
  log = await openTestLog(stack);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((projection) => projection.stop()));
  await log.connection.close();
});
afterAll(() => stack.stop());

async function run(
  projection: Projection<TestEvent>,
  options: Partial<Pick<ProjectionOptions<TestEvent>, 'filterSubject' | 'maxBatch' | 'maxBatchBytes' | 'linger'>> = {},
): Promise<RunningProjection> {
  const { connection, stream } = log;
  const started = await runProjection({ connection, stream, catalog, projection, logger, ...options });
  running.push(started);
  return started;
}

const sequences = (model: MemoryReadModel) => model.applied.map((event) => event.position.sequence);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('a projection', () => {
  it('applies everything once and in order, in batches, and then what comes', async () => {
    for (let batch = 0; batch < 5; batch += 1) {
      await log.store.append(`${log.stream}.a`, countedTo(1000), 'any', context);
    }
    const model = createReadModel();
    const projection = await run(memoryProjection(model), { maxBatch: 500 });
    await projection.caughtUp();
    expect(sequences(model)).toEqual(upTo(5000));
    expect(model.batches).toBeGreaterThanOrEqual(10);
    expect(model.batches).toBeLessThan(1000);
    const { sequence } = await log.store.append(`${log.stream}.b`, [counted(1)], 0, context);
    expect(await projection.await(sequence, 5_000)).toBe(true);
    expect(model.applied.at(-1)).toMatchObject({ subject: `${log.stream}.b`, data: { n: 1 } });
  });

  it('goes on from its checkpoint', async () => {
    const model = createReadModel();
    await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
    await (await run(memoryProjection(model))).caughtUp();
    await running.splice(0)[0]?.stop();
    await log.store.append(`${log.stream}.a`, [counted(4)], 3, context);
    await (await run(memoryProjection(model))).caughtUp();
    expect(sequences(model)).toEqual([1, 2, 3, 4]);
  });

  it('moves over events that it does not use, without parsing them', async () => {
    const model = createReadModel();
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    await log.connection.request(`${log.stream}.a`, 'no event', { timeout: 2_000 });
    await log.store.append(`${log.stream}.a`, countedTo(2), 2, context);
    const projection = await run(memoryProjection(model, { types: ['Noted'] }));
    expect(await projection.await(4, 5_000)).toBe(true);
    expect(model).toMatchObject({ applied: [], position: 4 });
  });

  it('keeps a batch below its bytes, and takes an event that alone is larger', async () => {
    const sizes: number[] = [];
    const model = createReadModel();
    model.beforeApply = (events) =>
      void sizes.push(events.reduce((sum, { data }) => sum + (data as Uint8Array).byteLength, 0));
    const received = (size: number): TestEvent => ({ type: 'Received', data: new Uint8Array(size) });
    const events = [...Array.from({ length: 40 }, () => received(10_000)), received(200_000), received(10_000)];
    await log.store.append(`${log.stream}.a`, events, 0, context);
    await (await run(memoryProjection(model), { maxBatchBytes: 50_000 })).caughtUp();
    expect(sequences(model)).toEqual(upTo(42));
    expect(sizes.filter((size) => size > 50_000)).toEqual([200_000]);
  });

  it('writes what it lingers after together with what follows, and alone when nothing does', async () => {
    const batches: number[][] = [];
    const model = createReadModel();
    model.beforeApply = (events) =>
      void (events.length > 0 && batches.push(events.map(({ position }) => position.sequence)));
    const noted: TestEvent = { type: 'Noted', data: { text: 'x' } };
    const projection = await run(memoryProjection(model), { linger: { after: ['Noted'], forMs: 60_000 } });
    await log.store.append(`${log.stream}.a`, [noted], 0, context);
    await log.store.append(`${log.stream}.a`, [noted], 1, context);
    await log.store.append(`${log.stream}.a`, [counted(1)], 2, context);
    expect(await projection.await(3, 5_000)).toBe(true);
    await projection.stop();
    const brief = await run(memoryProjection(model), { linger: { after: ['Noted'], forMs: 20 } });
    await log.store.append(`${log.stream}.a`, [noted], 3, context);
    expect(await brief.await(4, 5_000)).toBe(true);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  it('does not keep waiting what comes alone, and takes together what comes soon after', async () => {
    const batches: number[][] = [];
    const model = createReadModel();
    model.beforeApply = (events) =>
      void (events.length > 0 && batches.push(events.map(({ position }) => position.sequence)));
    const noted: TestEvent = { type: 'Noted', data: { text: 'x' } };
    const linger = { after: ['Noted'], forMs: 3_600_000, isPaced: true };
    const projection = await run(memoryProjection(model), { linger });
    await log.store.append(`${log.stream}.a`, [noted], 0, context);
    expect(await projection.await(1, 5_000)).toBe(true);
    await log.store.append(`${log.stream}.a`, [noted], 1, context);
    await log.store.append(`${log.stream}.a`, [noted], 2, context);
    await log.store.append(`${log.stream}.a`, [counted(1)], 3, context);
    expect(await projection.await(4, 5_000)).toBe(true);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('applies everything once and in order although the server is killed and restarted in the middle', async () => {
    const model = createReadModel();
    for (let batch = 0; batch < 4; batch += 1) {
      await log.store.append(`${log.stream}.a`, countedTo(1000), 'any', context);
    }
    let killed: Promise<void> | undefined;
    model.beforeApply = () => {
      if (model.position > 500) killed ??= stack.servers.nats.kill();
      return killed;
    };
    const projection = await run(memoryProjection(model), { maxBatch: 100 });
    await waitUntil(() => killed !== undefined);
    await killed;
    await stack.servers.nats.start();
    const { sequence } = await log.store.append(`${log.stream}.b`, [counted(1)], 0, context);
    expect(await projection.await(sequence, 30_000)).toBe(true);
    expect(sequences(model)).toEqual(upTo(4001));
  });

  it('hears of new events after the server was killed and restarted while nothing happened', async () => {
    const model = createReadModel();
    const projection = await run(memoryProjection(model));
    await log.store.append(`${log.stream}.a`, [counted(1)], 0, context);
    await projection.caughtUp();
    for (let round = 0; round < 2; round += 1) {
      await stack.servers.nats.kill();
      await stack.servers.nats.start();
      const { sequence } = await log.store.append(`${log.stream}.a`, [counted(1)], 'any', context);
      expect(await projection.await(sequence, 30_000)).toBe(true);
    }
    expect(sequences(model)).toEqual([1, 2, 3]);
  });

  it('misses nothing when its consumer is taken away', async () => {
    const model = createReadModel();
    const projection = await run(memoryProjection(model));
    const manager = await jetstreamManager(log.connection);
    for (let round = 1; round <= 3; round += 1) {
      await log.store.append(`${log.stream}.a`, countedTo(50), 'any', context);
      for await (const consumer of manager.consumers.list(log.stream)) {
        await manager.consumers.delete(log.stream, consumer.name);
      }
      const { sequence } = await log.store.append(`${log.stream}.a`, countedTo(50), 'any', context);
      expect(await projection.await(sequence, 20_000)).toBe(true);
    }
    expect(sequences(model)).toEqual(upTo(300));
  });

  it('retries a batch that cannot be written, and is not live meanwhile', async () => {
    const model = createReadModel();
    let isBroken = false;
    model.beforeApply = () => {
      if (isBroken) throw new Error('the disk is full');
    };
    const projection = await run(memoryProjection(model));
    await waitUntil(() => projection.isLive());
    isBroken = true;
    await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
    await waitUntil(() => !projection.isLive());
    expect(projection.position()).toBe(0);
    isBroken = false;
    expect(await projection.await(3, 5_000)).toBe(true);
    await waitUntil(() => projection.isLive());
    expect(sequences(model)).toEqual([1, 2, 3]);
  });
});

describe('two projectors of one read model', () => {
  it('never go back and never double, whoever is faster', async () => {
    const model = createReadModel();
    const other = await openTestLog(stack);
    const first = await run(memoryProjection(model), { maxBatch: 7 });
    const second = await runProjection({
      connection: other.connection,
      stream: log.stream,
      catalog,
      projection: memoryProjection(model),
      maxBatch: 5,
      logger,
    });
    running.push(second);
    for (let round = 0; round < 20; round += 1) {
      await log.store.append(`${log.stream}.a`, countedTo(10), 'any', context);
    }
    expect(await first.await(200, 20_000)).toBe(true);
    await log.store.append(`${log.stream}.a`, [counted(1)], 'any', context);
    await waitUntil(() => first.position() === 201 && second.position() === 201);
    expect(sequences(model)).toEqual(upTo(201));
    await second.stop();
    await other.connection.close();
  });

  it('a late one that believes to be far behind is sent ahead', async () => {
    const model = createReadModel();
    await log.store.append(`${log.stream}.a`, countedTo(20), 0, context);
    model.position = 15;
    let isFirst = true;
    const stale: Projection<TestEvent> = {
      ...memoryProjection(model),
      readPosition: async () => {
        const position = isFirst ? 3 : model.position;
        isFirst = false;
        return position;
      },
    };
    expect(await (await run(stale)).await(20, 5_000)).toBe(true);
    expect(sequences(model)).toEqual([16, 17, 18, 19, 20]);
  });

  it('a checkpoint that was set back is followed back', async () => {
    const model = createReadModel();
    await log.store.append(`${log.stream}.a`, countedTo(5), 0, context);
    const projection = await run(memoryProjection(model));
    await projection.caughtUp();
    model.position = 0;
    model.applied.length = 0;
    await log.store.append(`${log.stream}.a`, [counted(6)], 5, context);
    await waitUntil(() => model.position === 6);
    expect(sequences(model)).toEqual(upTo(6));
  });

  it('a fenced apply writes nothing', async () => {
    const projection = memoryProjection(createReadModel());
    await projection.apply([], { from: 0, to: 5 });
    await expect(projection.apply([], { from: 0, to: 6 })).rejects.toThrow(FencedError);
  });
});

describe('waiting for a position', () => {
  it('ends with false at its deadline', async () => {
    const projection = await run(memoryProjection(createReadModel()));
    const started = performance.now();
    expect(await projection.await(1, 50)).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('ends with false when the projection is stopped', async () => {
    const projection = await run(memoryProjection(createReadModel()));
    const waiting = projection.await(1, 60_000);
    await projection.stop();
    expect(await waiting).toBe(false);
  });

  it('passes events that were erased meanwhile', async () => {
    await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
    await log.store.append(`${log.stream}.b`, countedTo(3), 0, context);
    await (await jetstreamManager(log.connection)).streams.purge(log.stream, { filter: `${log.stream}.b` });
    const model = createReadModel();
    const projection = await run(memoryProjection(model));
    expect(await projection.await(6, 10_000)).toBe(true);
    expect(model.position).toBe(6);
    expect(sequences(model)).toEqual([1, 2, 3]);
    expect(await projection.await(7, 1_200)).toBe(false);
  });

  it('passes events that a filter leaves out', async () => {
    await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
    await log.store.append(`${log.stream}.b`, countedTo(3), 0, context);
    const model = createReadModel();
    const projection = await run(memoryProjection(model), { filterSubject: `${log.stream}.a` });
    await projection.caughtUp();
    expect(await projection.await(6, 10_000)).toBe(true);
    expect(sequences(model)).toEqual([1, 2, 3]);
  });
});

describe('following a projection of another instance', () => {
  it('hears of commits', async () => {
    const model = createReadModel();
    const follower = await followProjection({
      ...log,
      name: 'memory',
      version: 1,
      readPosition: async () => model.position,
      pollMs: 60_000,
    });
    await run(memoryProjection(model));
    const { sequence } = await log.store.append(`${log.stream}.a`, countedTo(3), 0, context);
    expect(await follower.await(sequence, 5_000)).toBe(true);
    expect(follower.position()).toBe(3);
    expect(await follower.await(4, 50)).toBe(false);
    follower.stop();
  });

  it('reads the checkpoint when what was announced got lost', async () => {
    let position = 1;
    const readPosition = async () => position;
    const follower = await followProjection({ ...log, name: 'silent', version: 1, readPosition, pollMs: 20 });
    expect(follower.position()).toBe(1);
    const waiting = follower.await(5, 5_000);
    position = 5;
    expect(await waiting).toBe(true);
    follower.stop();
  });
});
