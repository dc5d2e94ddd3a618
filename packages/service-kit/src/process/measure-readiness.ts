import { type Checks, look } from './health.ts';
import { measureEvery } from './measure-every.ts';
import type { Metrics } from './metrics.ts';

const everyMs = 10_000;

/** Checks a service from time to time, so that alerts see what its `/readyz` would say. */
export function measureReadiness(metrics: Metrics, service: string, checks: Checks): { stop(): void } {
  const gauge = metrics.gauge({
    name: 'mneme_ready',
    help: '1 if a service can work as far as a check of it shows, as in /readyz',
    labels: ['service', 'check'],
  });
  let isStopped = false;
  const measure = async () => {
    const found = await look(checks).catch(() => undefined);
    if (!found || isStopped) return;
    for (const [check, result] of Object.entries(found.checks)) gauge.set({ service, check }, result === 'ok' ? 1 : 0);
  };
  const end = measureEvery(everyMs, measure);
  return {
    stop: () => {
      isStopped = true;
      end();
    },
  };
}
