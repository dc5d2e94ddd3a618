import { setImmediate } from 'node:timers/promises';
import { createWorkerPool, isLongText, WorkerCrashError, type WorkerPool, WorkerTimeoutError } from '@mneme/workers';
import { yieldToEventLoop } from '@mneme/workers/time-slices';
import { ModelError } from '../model-error.ts';
import { isQuick, sizeOf } from './cost.ts';
import { createTextTasks, type TextInputs, type TextTasks } from './tasks.ts';
import type { Outcome, WorkerRequest } from './worker.ts';

export interface TextWorkersOptions {
  /** Maximum number of threads. */
  readonly threads?: number | undefined;
  /** Timeout of a task in milliseconds. */
  readonly timeLimitMs?: (characters: number) => number;
}

/** Runs a task in the calling thread when it is certainly short, otherwise in a worker thread. */
export interface TextWorkers {
  /** @throws ModelError `timeout` when it takes too long, `unavailable` when its thread ends; the signal's reason when it is aborted */
  run<T extends keyof TextTasks>(
    task: T,
    input: TextInputs[T],
    signal: AbortSignal | undefined,
  ): Promise<Awaited<ReturnType<TextTasks[T]>>>;
  close(): Promise<void>;
}

/** Two minutes for the slowest text of 5 MB, which is eight times what it takes on an idle machine. */
function usualTimeLimitMs(characters: number): number {
  return 20_000 + characters / 50;
}

export function createTextWorkers(options: TextWorkersOptions = {}): TextWorkers {
  const { timeLimitMs = usualTimeLimitMs } = options;
  const tasks = createTextTasks();
  const yielding = createYielding();
  const pool = createWorkerPool({ module: new URL('./worker.ts', import.meta.url), threads: options.threads });
  return {
    run: async (task, input, signal) => {
      signal?.throwIfAborted();
      const here = tasks[task] as (input: unknown) => Promise<never>;
      if (isQuick(task, input)) return yielding.run(() => here(input), signal);
      const size = sizeOf(input);
      const run = { timeLimitMs: timeLimitMs(size), isLong: isLongText(size), signal };
      return (await inThread(pool, { task, input }, run)) as never;
    },
    close: () => pool.close(),
  };
}

async function inThread(
  pool: WorkerPool,
  request: WorkerRequest,
  run: Parameters<WorkerPool['run']>[2],
): Promise<unknown> {
  try {
    const outcome = await pool.run<Outcome>('run', request, run);
    if ('failed' in outcome) throw new ModelError(outcome.failed, outcome.message);
    return 'pages' in outcome ? await listOf(outcome.pages) : outcome.value;
  } catch (error) {
    if (error instanceof WorkerTimeoutError)
      throw new ModelError(
        'timeout',
        `Reading the text took longer than ${Number((run.timeLimitMs / 1_000).toPrecision(2))} s.`,
      );
    if (error instanceof WorkerCrashError)
      throw new ModelError('unavailable', 'Reading the text was broken off: its thread ended.');
    throw error;
  }
}

async function listOf(pages: readonly string[]): Promise<unknown[]> {
  const list: unknown[] = [];
  for (const page of pages) {
    list.push(...(JSON.parse(page) as unknown[]));
    await yieldToEventLoop();
  }
  return list;
}

/** Short tasks yield to the event loop after this many milliseconds. */
const longestBlockMs = 10;

/**
 * Runs short tasks one after the other, and yields to the event loop between them when they add up. Unlike the turns of
 * `@mneme/workers/time-slices`, which divide one long work, all tasks of a turn of the event loop share its time, and those that
 * wait go on together.
 */
function createYielding() {
  let spentMs = 0;
  return {
    run: async <R>(work: () => Promise<R>, signal: AbortSignal | undefined): Promise<R> => {
      while (spentMs > longestBlockMs) await setImmediate();
      signal?.throwIfAborted();
      if (spentMs === 0) globalThis.setImmediate(() => (spentMs = 0));
      const start = performance.now();
      const result = work();
      spentMs += performance.now() - start;
      return result;
    },
  };
}
