import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ModelProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the stand-in model server in a process of its own. */
export async function startModelProcess(dimensions: number): Promise<ModelProcess> {
  const child = fork(join(import.meta.dirname, 'model-process.ts'), [String(dimensions)]);
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The model server ended with ${code}`)));
  const [url] = (await Promise.race([once(child, 'message'), failed])) as [string];
  failed.catch(() => undefined);
  return {
    url,
    stop: async () => {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
