import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { ModelError } from '../model-error.ts';
import type { InferenceReply, InferenceRequest } from './inference-process.ts';

/**
 * The model in a process of its own. Loading it and tokenizing would block the event loop, and in a worker thread the
 * runtime aborts the whole process when the thread is ended during an inference.
 */
export interface Inference {
  /** Starts the process, without loading the model. @throws ModelError `unavailable` when the runtime does not work here */
  start(): Promise<void>;
  /**
   * One call at a time. Starts the process again when it has ended.
   * @returns the vectors of the texts, one after the other
   * @throws ModelError `unavailable` when the process ends, `timeout` when it takes too long
   */
  run(texts: readonly string[]): Promise<Float32Array>;
  close(): void;
}

/** For starting the process, and for a few texts on a very busy machine. */
const timeLimitMs = 60_000;
/** Nothing else of the environment concerns it, keys least of all. */
const inheritedVariables = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** @param folder with the model's files */
export function createInference(folder: string): Inference {
  let running: Promise<ChildProcess> | undefined;
  const started = () => {
    running ??= startProcess(folder, () => (running = undefined)).catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };
  return {
    start: async () => void (await started()),
    run: async (texts) => {
      const child = await started();
      const reply = await replyOf<InferenceReply>(child, () => child.send({ texts } satisfies InferenceRequest));
      if ('failed' in reply)
        throw new ModelError('unavailable', `The built-in embedding model failed: ${reply.failed}`);
      return reply.vectors;
    },
    close: () => {
      running?.then(
        (child) => child.kill('SIGKILL'),
        () => undefined,
      );
      running = undefined;
    },
  };
}

async function startProcess(folder: string, onEnded: () => void): Promise<ChildProcess> {
  const child = fork(new URL('./inference-process.ts', import.meta.url), [folder], {
    serialization: 'advanced',
    // What the parent preloads is not meant for this process.
    execArgv: [],
    env: Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]])),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.once('exit', onEnded);
  // It may not keep this process alive, and ends with it.
  child.unref();
  (child.stderr as unknown as { unref(): void }).unref();
  await replyOf(child, () => undefined);
  return child;
}

/** The next message of the process after `ask`. */
async function replyOf<T>(child: ChildProcess, ask: () => void): Promise<T> {
  const settled = new AbortController();
  const { signal } = settled;
  let printed = '';
  const keep = (text: Buffer) => {
    printed = `${printed}${text.toString()}`.slice(-1_000);
  };
  child.stderr?.on('data', keep);
  child.channel?.ref();
  const timer = setTimeout(() => child.kill('SIGKILL'), timeLimitMs);
  let isOverdue = false;
  const overdue = setTimeout(() => (isOverdue = true), timeLimitMs - 1);
  const ended = once(child, 'close', { signal }).then(() => {
    if (isOverdue) throw new ModelError('timeout', `The built-in embedding model took longer than ${timeLimitMs} ms.`);
    const error = printed.split('\n').find((line) => /^\w*Error\b.*:/.test(line)) ?? printed.trim();
    const why = error === '' ? '' : `: ${error}`;
    throw new ModelError('unavailable', `The process of the built-in embedding model ended${why}`);
  });
  const message = once(child, 'message', { signal }).then(([value]) => value as T);
  try {
    ask();
    return await Promise.race([message, ended]);
  } finally {
    settled.abort();
    clearTimeout(timer);
    clearTimeout(overdue);
    child.stderr?.off('data', keep);
    child.channel?.unref();
    await Promise.allSettled([message, ended]);
  }
}
