import { createLimiter } from '@mneme/workers';
import type { Urgency } from '../ports.ts';
import type { Inference, InferenceOptions } from './inference.ts';

/**
 * Processes that hold the model. The first takes texts of any kind. The others are there for callers who wait: they take
 * questions and, while the first has more than a few texts to do, small batches. When no caller has waited for a while, they take
 * what is embedded in the background, too.
 */
export interface InferencePool {
  /** Starts the first process. The others are started by the first texts for them. @throws like `Inference` */
  start(): Promise<void>;
  /**
   * Embeds texts in the process that has least to do, of those that take them.
   * @returns the vectors of the texts, one after the other
   * @throws like `Inference`; the signal's reason when it is aborted before the texts have their turn
   */
  run(texts: readonly string[], urgency: Urgency, signal?: AbortSignal): Promise<Float32Array>;
  close(): void;
}

/** The texts of a small batch: a question that comes behind them waits for some 20 ms. */
const fewTexts = 2;
/**
 * Background work uses the second process when no caller has waited for vectors for this long, in milliseconds. A question that
 * comes then waits for one part of it.
 */
const quietMs = 2_000;

const priorities: Readonly<Record<Urgency, number>> = { question: 2, batch: 1, background: 0 };

/**
 * @param size how many processes there may be, at least 1
 * @param createInference creates what runs in one of them
 * @param now milliseconds of a clock that does not go back
 */
export function createInferencePool(
  size: number,
  createInference: (options: InferenceOptions) => Inference,
  now: () => number = () => performance.now(),
): InferencePool {
  // Where questions have a process of their own, what is embedded in the background leaves them and the servers the processor.
  const members = Array.from({ length: size }, (_, index) =>
    createMember(createInference({ isNice: size > 1 && index === 0 })),
  );
  const [first] = members as [Member];
  const leastBusy = () => members.reduce((best, each) => (each.waiting() < best.waiting() ? each : best));
  let lastAwaitedAt = now();
  const isForAny = (texts: readonly string[], urgency: Urgency) => {
    if (urgency === 'background') return now() - lastAwaitedAt >= quietMs;
    return urgency === 'question' || (texts.length <= fewTexts && first.waiting() > fewTexts);
  };
  return {
    start: () => first.start(),
    run: (texts, urgency, signal) => {
      if (urgency !== 'background') lastAwaitedAt = now();
      return (isForAny(texts, urgency) ? leastBusy() : first).run(texts, urgency, signal);
    },
    close: () => {
      for (const { close } of members) close();
    },
  };
}

interface Member extends InferencePool {
  /** How many texts it has in work or before it. */
  waiting(): number;
}

/** One process, with the texts that wait for it: questions before batches. */
function createMember(inference: Inference): Member {
  const limiter = createLimiter(1);
  let waiting = 0;
  return {
    start: () => inference.start(),
    waiting: () => waiting,
    run: async (texts, urgency, signal) => {
      waiting += texts.length;
      try {
        return await limiter.run(() => inference.run(texts), signal, priorities[urgency]);
      } finally {
        waiting -= texts.length;
      }
    },
    close: () => inference.close(),
  };
}
