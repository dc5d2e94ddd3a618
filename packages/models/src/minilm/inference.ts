import { type ChildProcess, fork } from 'node:child_process';
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

export interface InferenceOptions {
  /** Whether the process is to run with a lower priority, so that others go first where there is too little processor time. */
  readonly isNice?: boolean;
}

/** @param folder with the model's files */
export function createInference(folder: string, { isNice = false }: InferenceOptions = {}): Inference {
  let running: Promise<Running> | undefined;
  const started = () => {
    running ??= startProcess([folder, ...(isNice ? ['nice'] : [])], () => (running = undefined)).catch((error) => {
      running = undefined;
      throw error;
    });
    return running;
  };
  return {
    start: async () => void (await started()),
    run: async (texts) => {
      const { ask } = await started();
      const reply = await ask({ texts });
      if ('failed' in reply)
        throw new ModelError('unavailable', `The built-in embedding model failed: ${reply.failed}`);
      return reply.vectors;
    },
    close: () => {
      running?.then(
        ({ child }) => child.kill('SIGKILL'),
        () => undefined,
      );
      running = undefined;
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  /** Sends a request, and returns the next message of the process. @throws like `run` */
  readonly ask: (request: InferenceRequest) => Promise<InferenceReply>;
}

async function startProcess(parameters: readonly string[], onEnded: () => void): Promise<Running> {
  const child = fork(new URL('./inference-process.ts', import.meta.url), parameters, {
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
  const replyTo = listenTo(child);
  await replyTo(() => undefined);
  return { child, ask: (request) => replyTo<InferenceReply>(() => child.send(request)) };
}

/**
 * Listens to a process as long as it runs: to begin and to end this with every request would take as long as sending it.
 * @returns a function for the next message of the process after something was asked, one at a time
 */
function listenTo(child: ChildProcess): <T>(ask: () => void) => Promise<T> {
  let printed = '';
  let isOverdue = false;
  let waiting: PromiseWithResolvers<unknown> | undefined;
  let whyEnded: ModelError | undefined;
  child.stderr?.on('data', (text: Buffer) => {
    printed = `${printed}${text.toString()}`.slice(-1_000);
  });
  child.on('message', (message) => waiting?.resolve(message));
  // It cannot be started, or ended while it was asked.
  child.on('error', ({ message }) => waiting?.reject(ended(message)));
  child.once('close', () => {
    whyEnded = isOverdue ? overdue() : ended(printed);
    waiting?.reject(whyEnded);
  });
  return async <T>(ask: () => void) => {
    if (whyEnded) throw whyEnded;
    waiting = Promise.withResolvers<unknown>();
    child.channel?.ref();
    const timer = setTimeout(() => {
      isOverdue = true;
      child.kill('SIGKILL');
    }, timeLimitMs);
    try {
      ask();
      return (await waiting.promise) as T;
    } finally {
      clearTimeout(timer);
      waiting = undefined;
      child.channel?.unref();
    }
  };
}

function overdue(): ModelError {
  return new ModelError('timeout', `The built-in embedding model took longer than ${timeLimitMs} ms.`);
}

/** @param printed the end of what the process has written to its standard error, or another reason */
function ended(printed: string): ModelError {
  const error = printed.split('\n').find((line) => /^\w*Error\b.*:/.test(line)) ?? printed.trim();
  const why = error === '' ? '' : `: ${error}`;
  return new ModelError('unavailable', `The process of the built-in embedding model ended${why}`);
}
