import type { FoundService } from '@mneme/service-kit';
import { sleep } from '@mneme/workers/waits';

export interface ServeWhenAbleOptions {
  /** Whether this instance can answer requests. */
  readonly isAble: () => boolean;
  /** Whether this instance has lost a store, so that others should answer instead. */
  readonly isCutOff: () => boolean;
  /** Whether the store that it has lost answers again, if not for long enough yet: then it does not leave any more. */
  readonly isComingBack: () => boolean;
  /** What is found within `timeoutMs` of instances that take requests; `answers` also while none can be asked. */
  readonly lookElsewhere: (timeoutMs: number) => Promise<FoundService>;
  /** Whether another instance takes requests, and says within `timeoutMs` that it can answer them. */
  readonly isAnsweredElsewhere: (timeoutMs: number) => Promise<boolean>;
  /** Begins to take requests. */
  readonly serve: () => void;
  /** Leaves requests to other instances from now on. */
  readonly leave: () => Promise<void>;
  /** Called when requests are left to other instances at first. */
  readonly onHeld: () => void;
  /** Called when requests could not be taken, or left to others. */
  readonly onFailed: (error: unknown) => void;
}

/** The requests that an instance takes, or leaves to other instances. */
export interface ServedRequests {
  /** Whether this instance takes requests. */
  isServing(): boolean;
  stop(): Promise<void>;
}

/** How often to check whether this instance can answer, in milliseconds. */
const lookEveryMs = 100;
/** How often to check whether this instance is cut off, in milliseconds. */
const cutOffEveryMs = 500;
/** How often to ask whether another instance answers, in milliseconds. */
const askEveryMs = 1_000;
/** How long a start waits for the answer, in milliseconds. Where no instance listens, NATS says so at once. */
const firstAnswerMs = 5_000;
const answerMs = 2_000;
/**
 * How many times in a row no other instance must have answered before this one takes requests: after a restart of NATS they connect again one after the other, and
 * one that is busy answers late. An instance that is cut off takes requests at once when the server says that no other one is
 * there, since it leaves again as soon as one is back.
 */
const mostUnanswered = 3;

/**
 * Takes requests while this instance can answer them, or no other instance answers any. NATS gives a share of the requests
 * to each instance that takes them, so one that cannot answer would refuse what another one can answer.
 *
 * An instance that is cut off tells others so before it asks them, and leaves only if one of them can answer. So of those that
 * are cut off at the same time the last one to ask finds none, and stays.
 */
export async function serveWhenAble(options: ServeWhenAbleOptions): Promise<ServedRequests> {
  const { isAble, lookElsewhere, serve, leave, onHeld, onFailed } = options;
  let isServing = isAble() || (await lookElsewhere(firstAnswerMs)) !== 'answers';
  if (isServing) serve();
  else onHeld();
  const stopping = new AbortController();
  const { signal } = stopping;
  const change = async () => {
    await (isServing ? untilNotNeeded(options, signal) : untilNeeded(options, signal));
    if (signal.aborted) return;
    isServing = !isServing;
    if (isServing) serve();
    else await leave();
  };
  const keepChanging = async () => {
    while (!signal.aborted) await change();
  };
  const changing = keepChanging().catch(onFailed);
  return {
    isServing: () => isServing,
    stop: async () => {
      stopping.abort();
      await changing;
    },
  };
}

/** Returns when this instance is cut off and another one can answer, or when the signal is aborted. */
async function untilNotNeeded(
  {
    isCutOff,
    isComingBack,
    isAnsweredElsewhere,
  }: Pick<ServeWhenAbleOptions, 'isCutOff' | 'isComingBack' | 'isAnsweredElsewhere'>,
  signal: AbortSignal,
): Promise<void> {
  const isToLeave = () => isCutOff() && !isComingBack();
  while (!signal.aborted) {
    if (isToLeave() && (await isAnsweredElsewhere(answerMs)) && isToLeave()) return;
    await sleep(cutOffEveryMs, signal);
  }
}

/** Returns when this instance can answer, when no other instance has answered for a while, or when the signal is aborted. */
async function untilNeeded(
  { isAble, isCutOff, lookElsewhere }: Pick<ServeWhenAbleOptions, 'isAble' | 'isCutOff' | 'lookElsewhere'>,
  signal: AbortSignal,
): Promise<void> {
  for (let unanswered = 0; unanswered < mostUnanswered; ) {
    const askAt = performance.now() + askEveryMs;
    while (performance.now() < askAt) {
      if (signal.aborted || isAble()) return;
      await sleep(lookEveryMs, signal);
    }
    const found = await lookElsewhere(answerMs);
    if (found === 'none' && isCutOff()) return;
    unanswered = found === 'answers' ? 0 : unanswered + 1;
  }
}
