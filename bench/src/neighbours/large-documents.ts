import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface LargeDocuments {
  /** Of the system. */
  readonly url: string;
  /** How many agents store one each, all at once. */
  readonly agents: number;
  /** Of each document. */
  readonly mebibytes: number;
  /** How often each is stored, with different sentences. */
  readonly versions: number;
}

export interface DocumentWriters {
  /** Stores all versions. @returns how many units the last ones have together. @throws Error when one is refused or fails */
  store(): Promise<number>;
  close(): Promise<void>;
}

/** Makes the texts, and keeps them for the moment at which all agents store theirs. */
export async function prepareDocuments(documents: LargeDocuments): Promise<DocumentWriters> {
  const thread = new Worker(new URL('./documents-thread.ts', import.meta.url), { workerData: documents });
  await once(thread, 'message');
  return {
    store: async () => {
      const stored = once(thread, 'message');
      thread.postMessage('store');
      const [units] = (await stored) as [number];
      return units;
    },
    close: async () => {
      await thread.terminate();
    },
  };
}
