import { createLimiter } from '@mneme/workers';
import type { Urgency } from '../ports.ts';
import { createInference, type InferenceOptions } from './inference.ts';

/**
 * Processes that hold the model. The first takes texts of any kind, the others only questions and, while the first works in
 * the background, small batches.
 */
export interface InferencePool {
  /** Starts the first process. The others are started by the first question that finds it busy. @throws like `Inference` */
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
 * @param folder with the model's files
 * @param size how many processes there may be, at least 1
 */
export function createInferencePool(folder: string, size: number): InferencePool {
  // Where questions have a process of their own, what is embedded in the background leaves them and the servers the processor.
  const members = Array.from({ length: size }, (_, index) => createMember(folder, { isNice: size > 1 && index === 0 }));
  const [first] = members as [Member];
  const leastBusy = () => members.reduce((best, each) => (each.waiting() < best.waiting() ? each : best));
  const isForAny = (texts: readonly string[], urgency: Urgency) =>
    urgency === 'question' || (urgency === 'batch' && texts.length <= fewTexts && first.isInBackground());
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
  /** Whether it has background work, whose texts in work others have to wait for. */
  isInBackground(): boolean;
}

/** One process, with the texts that wait for it: questions before batches. */
function createMember(folder: string, options: InferenceOptions): Member {
  const inference = createInference(folder, options);
  const limiter = createLimiter(1);
  let waiting = 0;
  let inBackground = 0;
  return {
    start: () => inference.start(),
    waiting: () => waiting,
    isInBackground: () => inBackground > 0,
    run: async (texts, urgency, signal) => {
      waiting += texts.length;
      if (urgency === 'background') inBackground += 1;
      try {
        return await limiter.run(() => inference.run(texts), signal, priorities[urgency]);
      } finally {
        waiting -= texts.length;
        if (urgency === 'background') inBackground -= 1;
      }
    },
    close: () => inference.close(),
  };
}
