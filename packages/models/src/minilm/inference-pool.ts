import { createLimiter } from '@mneme/workers';
import type { Urgency } from '../ports.ts';
import type { Inference, InferenceOptions } from './inference.ts';

/**
 * Processes that hold the model. The first takes texts of any kind, the others only questions and, while the first has more
 * than a few texts to do, small batches.
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

const priorities: Readonly<Record<Urgency, number>> = { question: 2, batch: 1, background: 0 };

/**
 * @param size how many processes there may be, at least 1
 * @param createInference creates what runs in one of them
 */
export function createInferencePool(
  size: number,
  createInference: (options: InferenceOptions) => Inference,
): InferencePool {
  // Where questions have a process of their own, what is embedded in the background leaves them and the servers the processor.
  const members = Array.from({ length: size }, (_, index) =>
    createMember(createInference({ isNice: size > 1 && index === 0 })),
  );
  const [first] = members as [Member];
  const leastBusy = () => members.reduce((best, each) => (each.waiting() < best.waiting() ? each : best));
  const isForAny = (texts: readonly string[], urgency: Urgency) =>
    urgency === 'question' || (urgency === 'batch' && texts.length <= fewTexts && first.waiting() > fewTexts);
  return {
    start: () => first.start(),
    run: (texts, urgency, signal) => (isForAny(texts, urgency) ? leastBusy() : first).run(texts, urgency, signal),
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
