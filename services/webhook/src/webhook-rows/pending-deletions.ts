import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@mneme/service-kit';
import { sweepLogs } from '../erasure/sweep-logs.ts';
import type { WebhookCollections } from './rows.ts';

const everyMs = 30_000;

/**
 * Takes out now and then what is left of deleted webhooks: a version of the read model that was filled while they were
 * being erased has some of their logs again.
 */
export function keepSweeping(rows: () => WebhookCollections, logger: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sweeping = (async () => {
    while (!signal.aborted) {
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await sweepLogs(rows());
      } catch (error) {
        logger.warn({ err: error }, 'Old logs could not be taken out');
      }
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await sweeping;
    },
  };
}
