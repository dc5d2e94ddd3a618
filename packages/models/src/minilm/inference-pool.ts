import { createLimiter } from '@mneme/workers';
import type { Urgency } from '../ports.ts';
import { createInference } from './inference.ts';

/** Processes that hold the model. The first takes texts of any kind, the others only questions. */
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

const priorities: Readonly<Record<Urgency, number>> = { question: 2, batch: 1, background: 0 };

/**
 * @param folder with the model's files
 * @param size how many processes there may be, at least 1
 */
export function createInferencePool(folder: string, size: number): InferencePool {
  const members = Array.from({ length: size }, () => createMember(folder));
  const [first] = members as [Member];
  const leastBusy = () => members.reduce((best, each) => (each.waiting() < best.waiting() ? each : best));
  return {
    start: () => first.start(),
    run: (texts, urgency, signal) => (urgency === 'question' ? leastBusy() : first).run(texts, urgency, signal),
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
function createMember(folder: string): Member {
  const inference = createInference(folder);
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
