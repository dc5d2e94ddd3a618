import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface FloorProcess {
  readonly url: string;
  readonly path: string;
  stop(): Promise<void>;
}

/** Starts the floor in a process of its own, as the system under measurement is. */
export async function startFloor(natsUrl: string): Promise<FloorProcess> {
  const child = fork(join(import.meta.dirname, 'floor-server.ts'), { env: { ...process.env, NATS_URL: natsUrl } });
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The floor ended with ${code}`)));
  const [url] = (await Promise.race([once(child, 'message'), failed])) as [string];
  failed.catch(() => undefined);
  return {
    url,
    path: '/floor',
    stop: async () => {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
