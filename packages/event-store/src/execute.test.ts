import { KeyedMutex } from '@mneme/workers/keyed-mutex';
import { jetstreamManager } from '@nats-io/jetstream';
import { beforeEach, describe, expect, it } from 'vitest';
import { openEraser } from './erasure/eraser.ts';
import { ConflictError, EventLogUnavailableError, HistoryTooLargeError } from './errors.ts';
import { connectEventStore, type EventStore } from './event-store.ts';
import { type AsyncDecider, contended, type Decider, execute } from './execute.ts';
import { openLog } from './log/log.ts';
import { readPages } from './log/reading/load.ts';
import { splitBySize } from './log/writing/parts.ts';
import { formatPosition, parsePosition } from './recorded.ts';
import { createStateCache, type StateCache } from './state-cache.ts';
import { catalog, context, counted, countedTo, type TestEvent, type TestLog, useTestLog } from './testing/test-log.ts';

const log = useTestLog();
let subject: string;
beforeEach(() => {
  subject = `${log.stream}.a`;
});

const amount = (event: TestEvent) => (event.type === 'Counted' ? event.data.n : 0);

/** Adds up; nothing follows from adding 0. */
const sum: Decider<number, number, TestEvent> = {
  initialState: 0,
  decide: (addend) => (addend === 0 ? [] : [counted(addend)]),
  evolve: (total, event) => total + amount(event),
};

/** A store that notes which events it has read for decisions, and lets another writer append before the next append. */
function watched(store: EventStore<TestEvent>, overtake: readonly (() => Promise<unknown>)[] = []) {
  const read: number[] = [];
  const left = [...overtake];
  const watchedStore: EventStore<TestEvent> = {
    ...store,
    fold: (subject, evolve, initial, known) =>
      store.fold(
        subject,
        (state, event) => {
          read.push(event.position.sequence);
          return evolve(state, event);
        },
        initial,
        known,
      ),
    append: async (subject, events, expected, appendContext) => {
      await left.shift()?.();
      return store.append(subject, events, expected, appendContext);
    },
  };
  return { store: watchedStore, read };
}

const numbersIn = async (log: TestLog, subject: string) => (await log.store.load(subject)).events.map(amount);

describe('execute', () => {
  it('returns the state with the new events, and where they stand', async () => {
    await log.store.append(subject, countedTo(2), 0, context);
    const done = await execute(log.store, sum, subject, 4, context);
    const position = { stream: log.stream, sequence: 3 };
    expect(done).toEqual({ state: 7, events: [counted(4)], position, revision: 3 });
  });

  it('appends nothing when there is nothing to do', async () => {
    await log.store.append(subject, countedTo(2), 0, context);
    const done = await execute(log.store, sum, subject, 0, context);
    expect(done).toEqual({ state: 3, events: [], position: undefined, revision: 2 });
  });

  it('decides again on what it reads again after a conflict, three times at most unless told otherwise', async () => {
    const another = () => log.store.append(subject, [counted(10)], 'any', context);
    const twice = watched(log.store, [another, another]);
    const waited: number[] = [];
    const pauseMs = (conflicts: number) => {
      waited.push(conflicts);
      return 1;
    };
    expect((await execute(twice.store, sum, subject, 1, context, { pauseMs })).state).toBe(21);
    expect(waited).toEqual([1, 2]);
    const thrice = watched(log.store, [another, another, another]);
    await expect(execute(thrice.store, sum, subject, 1, context)).rejects.toThrow(ConflictError);
    const once = watched(log.store, [another]);
    await expect(execute(once.store, sum, subject, 1, context, { attempts: 1 })).rejects.toThrow(ConflictError);
    expect(await numbersIn(log, subject)).toEqual([10, 10, 1, 10, 10, 10, 10]);
  });

  it('with many at once decides each where the aggregate is contended, and tries each once', async () => {
    const addends = countedTo(100).map(amount);
    const cache = createStateCache<number>({ sizeOf: () => 8 });
    const tried: string[] = [];
    const append: typeof log.store.append = (...given) => {
      tried.push(given[0]);
      return log.store.append(...given);
    };
    const store = { ...log.store, append };
    await Promise.all(addends.map((n) => execute(store, sum, subject, n, context, { ...contended, cache })));
    expect(await numbersIn(log, subject)).toEqual(addends);
    expect(tried).toHaveLength(addends.length);
  });

  it('beside another process also decides each where the aggregate is contended', async () => {
    const addends = countedTo(20).map(amount);
    const process = { ...contended, mutex: new KeyedMutex() };
    const other = { ...contended, mutex: new KeyedMutex() };
    await Promise.all(addends.map((n) => execute(log.store, sum, subject, n, context, n % 2 === 0 ? process : other)));
    expect((await numbersIn(log, subject)).sort((a, b) => a - b)).toEqual(addends);
  });

  it('lets those who wait fail with the one in front of them while the log is silent, and asks it again for later ones', async () => {
    const silent = Promise.withResolvers<never>();
    let asked = 0;
    const away = async () => {
      asked += 1;
      return silent.promise;
    };
    const store = watched(log.store, [away]).store;
    const waiting = countedTo(3).map((event) => execute(store, sum, subject, amount(event), context, contended));
    const failed = Promise.allSettled(waiting);
    await expect.poll(() => asked).toBe(1);
    silent.reject(new EventLogUnavailableError('no answer in 5 s', { mayBeWritten: true }));
    const reasons = (await failed).map((each) => (each.status === 'rejected' ? each.reason : undefined));
    expect(reasons.map(({ message }) => message)).toEqual(Array(3).fill('no answer in 5 s'));
    // Nothing was sent of those that waited.
    expect(reasons.map(({ mayBeWritten }) => mayBeWritten)).toEqual([true, false, false]);
    expect((await execute(store, sum, subject, 4, context, contended)).state).toBe(4);
  });

  it('waits for a decider that asks others, and tells it what it decides on', async () => {
    const seen: { revision: number; attempt: number }[] = [];
    const asking: AsyncDecider<number, number, TestEvent> = {
      ...sum,
      decide: async (addend, total, { revision, attempt, signal }) => {
        seen.push({ revision, attempt });
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        return [counted(total + addend)];
      },
    };
    const { store } = watched(log.store, [() => log.store.append(subject, [counted(5)], 0, context)]);
    expect((await execute(store, asking, subject, 1, context)).events).toEqual([counted(6)]);
    expect(seen).toEqual([
      { revision: 0, attempt: 1 },
      { revision: 1, attempt: 2 },
    ]);
  });

  it('decides no more when it is aborted', async () => {
    const leaving = new AbortController();
    const another = async () => {
      leaving.abort(new Error('The caller has gone'));
      await log.store.append(subject, [counted(1)], 'any', context);
    };
    const { store } = watched(log.store, [another]);
    const { signal } = leaving;
    await expect(execute(store, sum, subject, 2, context, { signal })).rejects.toThrow('The caller has gone');
    expect(await numbersIn(log, subject)).toEqual([1]);
  });

  it('appends nothing for a caller that has gone while it decided', async () => {
    const leaving = new AbortController();
    const deciding: AsyncDecider<number, number, TestEvent> = {
      ...sum,
      decide: (addend, total) => {
        leaving.abort(new Error('The caller has gone'));
        return [counted(total + addend)];
      },
    };
    const { signal } = leaving;
    await expect(execute(log.store, deciding, subject, 2, context, { signal })).rejects.toThrow('The caller has gone');
    expect(await numbersIn(log, subject)).toEqual([]);
  });

  it('needs the last event or the revision alone where a decider says so', async () => {
    await log.store.append(subject, countedTo(3), 0, context);
    const { store, read } = watched(log.store);
    expect((await execute(store, sum, subject, 4, context, { history: 'last' })).state).toBe(7);
    expect((await execute(store, sum, subject, 5, context, { history: 'none' })).state).toBe(5);
    expect(read).toEqual([]);
    expect(await numbersIn(log, subject)).toEqual([1, 2, 3, 4, 5]);
  });

  it('decides without the events of an aggregate, and without a conflict, where they are irrelevant', async () => {
    await log.store.append(subject, countedTo(3), 0, context);
    const another = () => log.store.append(subject, [counted(7)], 'any', context);
    const { store, read } = watched(log.store, [another]);
    const { state, revision, position } = await execute(store, sum, subject, 4, context, { history: 'irrelevant' });
    expect({ state, revision, position: position?.sequence }).toEqual({ state: 4, revision: 5, position: 5 });
    expect(read).toEqual([]);
    expect(await numbersIn(log, subject)).toEqual([1, 2, 3, 7, 4]);
  });
});

it('takes a state from elsewhere once, goes on from what it decided, and asks again after a conflict', async () => {
  await log.store.append(subject, countedTo(3), 0, context);
  let asked = 0;
  const readModel = async () => {
    asked += 1;
    const { events, revision } = await log.store.load(subject);
    return { state: events.reduce(sum.evolve, 0), revision };
  };
  const options = { history: readModel, cache: createStateCache<number>({ sizeOf: () => 8 }) };
  const { store, read } = watched(log.store);
  expect((await execute(store, sum, subject, 1, context, options)).state).toBe(7);
  expect((await execute(store, sum, subject, 1, context, options)).state).toBe(8);
  expect([asked, read]).toEqual([1, []]);
  await log.store.append(subject, [counted(10)], 'any', context);
  expect((await execute(store, sum, subject, 1, context, options)).state).toBe(19);
  expect(asked).toBe(2);
});

describe('a cached state', () => {
  const cached = (cache: StateCache<number> = createStateCache<number>({ sizeOf: () => 8 })) => ({ cache });

  it('spares reading what is in it', async () => {
    await log.store.append(subject, countedTo(100), 0, context);
    const { store, read } = watched(log.store);
    const options = cached();
    await execute(store, sum, subject, 1, context, options);
    expect(read).toHaveLength(100);
    await log.store.append(subject, [counted(7)], 'any', context);
    expect((await execute(store, sum, subject, 2, context, options)).state).toBe(5050 + 1 + 7 + 2);
    // What was decided is read once, as it stands in the log, and so is what others appended.
    expect(read.slice(100)).toEqual([101, 102]);
  });

  it('is given up when its aggregate was erased meanwhile, also by a command that appends nothing', async () => {
    const options = cached();
    await log.store.append(subject, countedTo(3), 0, context);
    expect((await execute(log.store, sum, subject, 0, context, options)).state).toBe(6);
    await openEraser(log.connection, log.stream).erase([1, 2, 3]);
    expect(await execute(log.store, sum, subject, 0, context, options)).toMatchObject({ state: 0, revision: 0 });
    expect((await execute(log.store, sum, subject, 9, context, options)).state).toBe(9);
    expect((await execute(log.store, sum, subject, 0, context, options)).state).toBe(9);
    await openEraser(log.connection, log.stream).erase([4]);
    await log.store.append(subject, [counted(2)], 0, context);
    expect((await execute(log.store, sum, subject, 1, context, options)).state).toBe(3);
  });

  it('is given up when another event has the sequence of its last one, as in a log that was restored', async () => {
    const options = cached();
    await log.store.append(subject, countedTo(3), 0, context);
    expect((await execute(log.store, sum, subject, 0, context, options)).state).toBe(6);
    const { streams } = await jetstreamManager(log.connection);
    const { config } = await streams.info(log.stream);
    await streams.delete(log.stream);
    await streams.add(config);
    await log.store.append(subject, [counted(10), counted(20), counted(30)], 0, context);
    expect(await execute(log.store, sum, subject, 0, context, options)).toMatchObject({ state: 60, revision: 3 });
  });

  it('is kept for those used last, as far as their number and size allow', () => {
    const cache = createStateCache<string>({ maxStates: 2, maxBytes: 2_000, sizeOf: (state) => state.length });
    cache.set('a', { state: 'a', revision: 1 });
    cache.set('b', { state: 'b', revision: 2 });
    cache.get('a');
    cache.set('c', { state: 'c', revision: 3 });
    expect(['a', 'b', 'c'].map((subject) => cache.get(subject)?.revision)).toEqual([1, undefined, 3]);
    cache.set('d', { state: 'd'.repeat(1_500), revision: 4 });
    expect(['a', 'c', 'd'].map((subject) => cache.get(subject)?.revision)).toEqual([undefined, 3, 4]);
    cache.set('d', { state: 'd'.repeat(5_000), revision: 5 });
    expect(cache.get('d')).toBeUndefined();
  });
});

describe('a history that is too large', () => {
  const note = (length: number): TestEvent => ({ type: 'Noted', data: { text: 'x'.repeat(length) } });

  it('is refused before it is in memory, and folded where a state is all that is asked for', async () => {
    for (let count = 0; count < 12; count += 1) await log.store.append(subject, [note(500_000)], 'any', context);
    const store = connectEventStore({ ...log, catalog, source: 'test', maxLoadBytes: 5_000_000 });
    await expect(store.load(subject)).rejects.toThrow(HistoryTooLargeError);
    const count = (events: number) => events + 1;
    expect(await store.fold(subject, count, 0)).toMatchObject({ state: 12, revision: 12 });
    const narrow = connectEventStore({ ...log, catalog, source: 'test', maxFoldBytes: 5_000_000 });
    await expect(narrow.fold(subject, count, 0)).rejects.toThrow(`The history of ${subject} has more than 5000000`);
    const sizes: number[] = [];
    for await (const page of readPages(openLog(log.connection, log.stream), { subject, from: 1, maxBytes: 1e9 })) {
      sizes.push(page.reduce((sum, { data }) => sum + data.byteLength, 0));
    }
    expect(Math.max(...sizes)).toBeLessThan(5_000_000);
    // What is known already does not count.
    expect(await narrow.fold(subject, count, 0, { state: 9, revision: 9 })).toMatchObject({ state: 12 });
  });
});

describe('splitBySize', () => {
  const split = (sizes: number[], max: number) => splitBySize(sizes, (size) => size, max);

  it('keeps the order and fills every run as far as it goes', () => {
    expect(split([3, 3, 4, 1, 9, 1], 10)).toEqual([[3, 3, 4], [1, 9], [1]]);
  });

  it('gives an item that is too large a run of its own', () => {
    expect(split([1, 20, 1], 10)).toEqual([[1], [20], [1]]);
    expect(split([20], 10)).toEqual([[20]]);
  });

  it('makes no run of nothing', () => {
    expect(split([], 10)).toEqual([]);
  });
});

describe('a position as text', () => {
  it('comes back as it was', () => {
    const position = { stream: 'MEMORY', sequence: 42 };
    expect(formatPosition(position)).toBe('MEMORY:42');
    expect(parsePosition('MEMORY:42')).toEqual(position);
  });

  it.each([
    '',
    'MEMORY',
    ':4',
    'MEMORY:',
    'MEMORY:-1',
    'MEMORY:1e3',
    'MEMORY:01',
    'ME MORY:1',
    'MEMORY:9999999999999999',
  ])('is nothing when it reads %j', (text) => expect(parsePosition(text)).toBeUndefined());
});
