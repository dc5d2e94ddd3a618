import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { createLimiter, type Limiter } from './limiter.ts';

export interface WorkerPoolOptions {
  /** The module that the threads run; its exports are the tasks. It may be TypeScript. */
  readonly module: URL;
  /** How many threads there are at most; `defaultThreads` unless given. */
  readonly threads?: number | undefined;
  /** What one thread may hold, in MiB; a task that needs more fails. */
  readonly maxThreadMiB?: number;
}

export interface RunOptions {
  /** How long the task may run, in milliseconds; waiting for a thread does not count. */
  readonly timeLimitMs: number;
  /** Long tasks leave one of the threads to the others. */
  readonly isLong?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Runs tasks in threads of their own, so that a long one does not block the event loop. */
export interface WorkerPool {
  /**
   * @param task the name of an export of the module
   * @param input what it is called with; copied
   * @returns what it returns; copied
   * @throws WorkerTimeoutError when it takes too long, WorkerCrashError when its thread ends, the signal's reason when it
   * is aborted, and what the task throws
   */
  run<Result>(task: string, input: unknown, options: RunOptions): Promise<Result>;
  /** Ends the threads. Tasks that run fail. */
  close(): Promise<void>;
}

/** A task took longer than it may; its thread was ended. */
export class WorkerTimeoutError extends Error {
  override readonly name = 'WorkerTimeoutError';
}

/** The thread of a task has ended: it ran out of memory, or the pool was closed. */
export class WorkerCrashError extends Error {
  override readonly name = 'WorkerCrashError';
}

/** What a thread with the rules for texts takes, in bytes. */
const bytesOfThread = 70 * 2 ** 20;

/**
 * One fewer than processors, and no more than fit into a quarter of the memory, but two at least.
 * @param memory that the process may take, in bytes
 */
export function threadsFor(processors: number, memory: number): number {
  return Math.max(2, Math.min(processors - 1, Math.floor(memory / 4 / bytesOfThread)));
}

export const defaultThreads: number = threadsFor(
  availableParallelism(),
  process.constrainedMemory() || Number.POSITIVE_INFINITY,
);
const defaultMaxThreadMiB = 512;
/** How many threads are for long tasks. @param threads how many there are */
export function longTasksAtOnce(threads: number): number {
  return Math.max(1, threads - 1);
}

/** @param length in characters; reading more takes a tenth of a second and longer */
export function isLongText(length: number): boolean {
  return length > 65_536;
}

/** By how much the threads are nicer than the process, so that requests go first: a thread gets a third of their time. */
const niceIncrement = 5;
/** So long a thread is kept without work, in milliseconds; it holds on to some hundred megabytes after a large text. */
const idleMs = 30_000;

/** Makes a pool. Its threads are started with the first task; they do not keep the process alive while they have no work. */
export function createWorkerPool({ module, ...options }: WorkerPoolOptions): WorkerPool {
  const threads = options.threads ?? defaultThreads;
  const limiter = createLimiter(threads);
  const longLimiter = createLimiter(longTasksAtOnce(threads));
  let piscina: Piscina | undefined;
  const start = () => {
    const started = new Piscina({
      filename: module.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      niceIncrement,
      // What the process preloads is not meant for threads, and may not even run in them.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxThreadMiB ?? defaultMaxThreadMiB },
    });
    // A thread that ends without a task does no harm: the next task gets another one.
    return started.on('error', () => undefined);
  };
  return {
    run: (task, input, run) => {
      const begin = () => {
        piscina ??= start();
        return runOne<never>(piscina, limiter, task, input, run);
      };
      return run.isLong ? longLimiter.run(begin, run.signal) : begin();
    },
    close: async () => {
      const closing = piscina;
      piscina = undefined;
      await closing?.destroy();
    },
  };
}

/** The limiter lets no more tasks in than there are threads, so that the time of a task begins when it runs. */
function runOne<Result>(
  piscina: Piscina,
  limiter: Limiter,
  task: string,
  input: unknown,
  { timeLimitMs, signal }: RunOptions,
): Promise<Result> {
  return limiter.run(async () => {
    const overrun = new AbortController();
    const timer = setTimeout(() => overrun.abort(), timeLimitMs);
    const either = signal === undefined ? overrun.signal : AbortSignal.any([signal, overrun.signal]);
    try {
      return (await piscina.run(input, { name: task, signal: either })) as Result;
    } catch (error) {
      signal?.throwIfAborted();
      if (overrun.signal.aborted) throw new WorkerTimeoutError(`${task} took longer than ${timeLimitMs} ms`);
      throw isCrash(error) ? new WorkerCrashError(`${task} ended its thread`, { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }, signal);
}

function isCrash(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  // Closing the pool aborts what runs.
  return (
    error.name === 'AbortError' ||
    code === 'ERR_WORKER_OUT_OF_MEMORY' ||
    /terminating worker|worker (?:thread )?(?:exited|terminated)/i.test(error.message)
  );
}
