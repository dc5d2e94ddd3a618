import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Settings } from './running-system.ts';

export interface ForkedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a server of the benchmark's own in a process of its own, as the system under measurement is.
 * @param file the program: its first message is its URL, and it ends when its channel does
 * @throws Error when it ends instead
 */
export async function forkServer(file: string, settings: Settings): Promise<ForkedServer> {
  const child = fork(file, { env: { ...process.env, ...settings } });
  const failed = once(child, 'exit').then(([code]) => {
    return Promise.reject(new Error(`${basename(file)} ended with ${code}`));
  });
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
