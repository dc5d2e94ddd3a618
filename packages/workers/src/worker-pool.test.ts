import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerPool, threadsFor, WorkerCrashError, type WorkerPool, WorkerTimeoutError } from './worker-pool.ts';

const module = new URL('./testing/tasks.ts', import.meta.url);
const patient = { timeLimitMs: 60_000 };
const pools: WorkerPool[] = [];

function pool(options: { threads?: number; maxThreadMiB?: number } = {}): WorkerPool {
  const made = createWorkerPool({ module, threads: 1, ...options });
  pools.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((each) => each.close()));
});

it.each([
  [2, Number.POSITIVE_INFINITY, 2],
  [8, Number.POSITIVE_INFINITY, 7],
  [64, 2 ** 30, 3],
  [64, 2 ** 28, 2],
])('%i processors and %d bytes make %i threads', (processors, memory, threads) => {
  expect(threadsFor(processors, memory)).toBe(threads);
});

describe('a task', () => {
  it('is called with a copy and gives a copy back', async () => {
    const input = { texts: ['a'], vector: new Float32Array([1, 2]) };
    const result = await pool().run('echo', input, patient);
    expect(result).toEqual(input);
    expect(result).not.toBe(input);
  });

  it('throws what it throws', async () => {
    await expect(pool().run('fail', 'no such text', patient)).rejects.toThrow('no such text');
  });

  it('that never ends is ended, and the next one runs', async () => {
    const tried = pool();
    await expect(tried.run('spin', null, { timeLimitMs: 300 })).rejects.toBeInstanceOf(WorkerTimeoutError);
    expect(await tried.run('echo', 1, patient)).toBe(1);
  });

  it('that wants all memory fails alone', async () => {
    const tried = pool({ maxThreadMiB: 32 });
    await expect(tried.run('hoard', null, patient)).rejects.toBeInstanceOf(WorkerCrashError);
    expect(await tried.run('echo', 1, patient)).toBe(1);
  });

  it('has all its time from when it runs, however long it has waited', async () => {
    const tried = pool();
    await tried.run('echo', 1, patient);
    const runs = [1, 2, 3, 4].map(() => tried.run('busy', 400, { timeLimitMs: 1_200 }));
    expect(await Promise.all(runs)).toHaveLength(4);
  });

  it('ends when it is aborted, with the reason, whether it runs or waits', async () => {
    const tried = pool();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const results = Promise.allSettled([
      tried.run('spin', null, { ...patient, signal: running.signal }),
      tried.run('echo', 1, { ...patient, signal: waiting.signal }),
    ]);
    waiting.abort(new Error('not needed'));
    running.abort(new Error('overtaken'));
    const reasons = (await results).map((each) => (each.status === 'rejected' ? each.reason.message : undefined));
    expect(reasons).toEqual(['overtaken', 'not needed']);
    expect(await tried.run('echo', 2, patient)).toBe(2);
  });
});

it('several run at once, in threads of their own', async () => {
  const tried = pool({ threads: 2 });
  const ids = await Promise.all([1, 2].map(() => tried.run<number>('busy', 300, patient)));
  expect(new Set(ids).size).toBe(2);
});

it('a short task does not wait for all long ones, even with a single thread for each', async () => {
  const tried = pool({ threads: 2 });
  const ended: string[] = [];
  const long = [1, 2, 3].map(async () => {
    await tried.run('busy', 600, { ...patient, isLong: true });
    ended.push('long');
  });
  await tried.run('busy', 10, patient);
  ended.push('short');
  await Promise.all(long);
  expect(ended.indexOf('short')).toBeLessThan(2);
  expect(ended).toHaveLength(4);
});

it('long tasks run although there is one thread only', async () => {
  const tried = pool({ threads: 1 });
  const results = [1, 2].map(() => tried.run<number>('busy', 10, { ...patient, isLong: true }));
  expect(new Set(await Promise.all(results)).size).toBe(1);
});

it.runIf(process.platform === 'linux')('a thread yields to the process, which has the requests', async () => {
  const tried = pool();
  const running = tried.run('busy', 300, patient);
  const niceness = async () => {
    const found: number[] = [];
    for await (const path of glob('/proc/self/task/*/stat')) {
      const stat = await readFile(path, 'utf8');
      // The name of a thread is in brackets and may hold spaces; its niceness is the 17th field behind it.
      found.push(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
    }
    return found;
  };
  await expect.poll(niceness).toContain(5);
  await running;
});

it('closing ends what runs, and a closed pool starts anew', async () => {
  const tried = pool();
  await tried.run('echo', 1, patient);
  const running = expect(tried.run('spin', null, patient)).rejects.toBeInstanceOf(WorkerCrashError);
  await tried.close();
  await running;
  expect(await tried.run('echo', 2, patient)).toBe(2);
});

it('threads without work do not keep a process alive', async () => {
  const script = `
    import { createWorkerPool } from ${JSON.stringify(new URL('./worker-pool.ts', import.meta.url).href)};
    const pool = createWorkerPool({ module: new URL(${JSON.stringify(module.href)}) });
    console.log(await pool.run('echo', 'done', { timeLimitMs: 60000 }));`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
  expect((await run).stdout.trim()).toBe('done');
});
