import { setTimeout as delay } from 'node:timers/promises';
import type { OnProgress } from '../progress.ts';
import type { Server } from './server.ts';

export interface KeepRunningOptions {
  onProgress: OnProgress;
  /** Aborted when the stack is stopped. */
  signal: AbortSignal;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;

/**
 * Starts a server that ended unexpectedly again, and again with a growing delay, until it runs or the stack stops.
 * A loop of its own, since each delay is announced before it begins.
 */
export async function bringBack(server: Server, { onProgress, signal }: KeepRunningOptions): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
    onProgress({ kind: 'restarting', server: server.name, attempt, delayMs });
    await delay(delayMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    try {
      await server.start();
      // A stack that was stopped meanwhile has passed this server by.
      if (signal.aborted) await server.stop();
      return;
    } catch (error) {
      onProgress({ kind: 'restart-failed', server: server.name, error });
    }
  }
}
