import { sleep } from '@mneme/workers/waits';

export interface ServeWhenAbleOptions {
  /** Whether this instance can answer requests. */
  readonly isAble: () => boolean;
  /** Whether another instance answers requests, as far as that is known within `timeoutMs`. */
  readonly isServedElsewhere: (timeoutMs: number) => Promise<boolean>;
  /** Begins to take requests; called once. */
  readonly serve: () => void;
  /** Called when requests are left to other instances at first. */
  readonly onHeld: () => void;
  /** Called when requests could not be taken. */
  readonly onFailed: (error: unknown) => void;
}

/** The requests that an instance takes, or leaves to other instances. */
export interface ServedRequests {
  /** True, or why requests are left to other instances. */
  readiness(): true | string;
  stop(): Promise<void>;
}

/** How often it is looked whether this instance can answer, in milliseconds. */
const lookEveryMs = 100;
/** How often it is asked whether another instance answers, in milliseconds. */
const askEveryMs = 1_000;
/** How long a start waits for the answer, in milliseconds. Where no instance listens, NATS says so at once. */
const firstAnswerMs = 5_000;
const answerMs = 2_000;
/** So many times in a row no instance must have answered: after a restart of NATS, they connect again one after the other. */
const mostUnanswered = 3;

/**
 * Takes requests as soon as this instance can answer them, or no other instance answers any. NATS gives a share of the requests
 * to each instance that takes them, so one that cannot answer yet would refuse what another one can answer.
 */
export async function serveWhenAble(options: ServeWhenAbleOptions): Promise<ServedRequests> {
  const { isAble, isServedElsewhere, serve, onHeld, onFailed } = options;
  let isServing = isAble() || !(await isServedElsewhere(firstAnswerMs));
  if (isServing) serve();
  else onHeld();
  const stopping = new AbortController();
  const holding = async () => {
    await untilNeeded(options, stopping.signal);
    if (stopping.signal.aborted) return;
    serve();
    isServing = true;
  };
  const held = isServing ? Promise.resolve() : holding().catch(onFailed);
  return {
    readiness: () => isServing || 'Other instances answer requests until the read models of this one are built',
    stop: async () => {
      stopping.abort();
      await held;
    },
  };
}

/** Returns when this instance can answer, when no other instance has answered for a while, or when the signal is aborted. */
async function untilNeeded(
  { isAble, isServedElsewhere }: Pick<ServeWhenAbleOptions, 'isAble' | 'isServedElsewhere'>,
  signal: AbortSignal,
): Promise<void> {
  for (let unanswered = 0; unanswered < mostUnanswered; ) {
    const askAt = performance.now() + askEveryMs;
    while (performance.now() < askAt) {
      if (signal.aborted || isAble()) return;
      await sleep(lookEveryMs, signal);
    }
    unanswered = (await isServedElsewhere(answerMs)) ? 0 : unanswered + 1;
  }
}
