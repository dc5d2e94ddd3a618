import { maxUsageCounts, type UsageCount } from '@mneme/contracts';
import { type Logger, wasNotReceived } from '@mneme/service-kit';

/** Counts the requests of keys by the hour, for charts. */
export interface UsageCounter {
  count(keyId: number, isAdmitted: boolean): void;
  /** Tells what is not told yet, and counts no more. */
  stop(): Promise<void>;
}

export interface UsageCounterDeps {
  /** Tells the keys service, which adds the counts. */
  readonly tell: (counts: UsageCount[]) => Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  /** How often counts are told, in milliseconds. */
  readonly everyMs?: number;
}

const hourMs = 60 * 60 * 1_000;
const defaultEveryMs = 5_000;
/** How many counts wait while the keys service is away; those of further keys and hours are lost. */
const maxWaiting = 20_000;

/**
 * Collects counts and tells them every few seconds. A few are lost when the gateway is killed, and may be when the keys
 * service does not confirm them. None is counted twice: what may have arrived is not told again.
 */
export function createUsageCounter({ tell, clock, logger, everyMs = defaultEveryMs }: UsageCounterDeps): UsageCounter {
  const waiting = new Map<string, UsageCount>();
  let telling: Promise<void> = Promise.resolve();
  const add = (count: UsageCount) => {
    const name = `${count.keyId}/${count.hour}`;
    const known = waiting.get(name);
    if (!known && waiting.size >= maxWaiting) return;
    const { requests = 0, refused = 0 } = known ?? {};
    waiting.set(name, { ...count, requests: requests + count.requests, refused: refused + count.refused });
  };
  const tellAll = async () => {
    for (let left = Math.ceil(waiting.size / maxUsageCounts); left > 0; left -= 1) {
      const counts = [...waiting.values()].slice(0, maxUsageCounts);
      for (const { keyId, hour } of counts) waiting.delete(`${keyId}/${hour}`);
      try {
        await tell(counts);
      } catch (error) {
        if (!wasNotReceived(error)) {
          logger.warn({ err: error }, 'Counts of requests may be lost');
          continue;
        }
        for (const count of counts) add(count);
        return;
      }
    }
  };
  const tellNext = () => {
    telling = telling.then(tellAll);
    return telling;
  };
  const timer = setInterval(() => void tellNext(), everyMs);
  timer.unref();
  return {
    count: (keyId, isAdmitted) => {
      const hour = Math.floor(clock() / hourMs) * hourMs;
      add({ keyId, hour, requests: isAdmitted ? 1 : 0, refused: isAdmitted ? 0 : 1 });
    },
    stop: () => {
      clearInterval(timer);
      return tellNext();
    },
  };
}
