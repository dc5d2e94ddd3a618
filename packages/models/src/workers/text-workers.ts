import { setImmediate } from 'node:timers/promises';
import { createWorkerPool, WorkerCrashError, type WorkerPool, WorkerTimeoutError } from '@mneme/workers';
import { ModelError } from '../model-error.ts';
import { isQuick, sizeOf } from './cost.ts';
import { createTextTasks, type TextInputs, type TextTasks } from './tasks.ts';
import type { Outcome, WorkerRequest } from './worker.ts';

export interface TextWorkersOptions {
  /** How many threads there are at most. */
  readonly threads?: number | undefined;
  /** How long the task for an input may run, in milliseconds. */
  readonly timeLimitMs?: (characters: number) => number;
}

/** Does a task here when it surely is a short one, in a thread when it is not. */
export interface TextWorkers {
  /** @throws ModelError `timeout` when it takes too long, `unavailable` when its thread ends; the signal's reason when it is aborted */
  run<T extends keyof TextTasks>(
    task: T,
    input: TextInputs[T],
    signal: AbortSignal | undefined,
  ): Promise<Awaited<ReturnType<TextTasks[T]>>>;
  close(): Promise<void>;
}

/** The text of five megabytes that takes longest has two minutes, which is eight times what it needs on an idle machine. */
function usualTimeLimitMs(characters: number): number {
  return 20_000 + characters / 50;
}

export function createTextWorkers(options: TextWorkersOptions = {}): TextWorkers {
  const { timeLimitMs = usualTimeLimitMs } = options;
  const tasks = createTextTasks();
  const turns = createKeyedMutex();
  const pool = createWorkerPool({ module: new URL('./worker.ts', import.meta.url), threads: options.threads });
  return {
    run: async (task, input, signal) => {
      signal?.throwIfAborted();
      const here = tasks[task] as (input: unknown) => Promise<never>;
      if (isQuick(task, input)) return turns.take(() => here(input), signal);
      const run = { timeLimitMs: timeLimitMs(sizeOf(input)), signal };
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
    await setImmediate();
  }
  return list;
}

/** Short tasks may take so long together before other work of the process gets its turn, in milliseconds. */
const longestTurnMs = 10;

/** Lets other work of the process come in between short tasks that are done one after the other. */
function createKeyedMutex() {
  let spentMs = 0;
  return {
    take: async <R>(work: () => Promise<R>, signal: AbortSignal | undefined): Promise<R> => {
      while (spentMs > longestTurnMs) await setImmediate();
      signal?.throwIfAborted();
      if (spentMs === 0) globalThis.setImmediate(() => (spentMs = 0));
      const start = performance.now();
      const result = work();
      spentMs += performance.now() - start;
      return result;
    },
  };
}
