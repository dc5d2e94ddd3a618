import type { ServiceProcess } from '../system/service-process.ts';

type Backend = Pick<ServiceProcess, 'port'>;

/** Spreads requests over instances of a gateway, as a load balancer does that asks them whether they are ready. */
export interface Balancer {
  /** The address of the next instance. */
  next(): string;
  add(gateway: Backend): void;
  /** Takes an instance out before it ends, for one that does not say that it is not ready any more. */
  remove(gateway: Backend): void;
  stop(): void;
}

const pollMs = 100;
const timeoutMs = 2_000;

export function startBalancer(gateways: readonly Backend[]): Balancer {
  const urlOf = ({ port }: Backend) => `http://127.0.0.1:${port}`;
  let backends = gateways.map((each) => ({ url: urlOf(each), isReady: true, isAsked: false }));
  const ask = async (backend: (typeof backends)[number]) => {
    if (backend.isAsked) return;
    backend.isAsked = true;
    const options = { signal: AbortSignal.timeout(timeoutMs) };
    const ready = fetch(`${backend.url}/readyz`, options).then(async (response) => {
      await response.body?.cancel();
      return response.ok;
    });
    backend.isReady = await ready.catch(() => false);
    backend.isAsked = false;
  };
  const timer = setInterval(() => void Promise.all(backends.map(ask)), pollMs);
  let turn = 0;
  return {
    next: () => {
      turn += 1;
      const ready = backends.filter(({ isReady }) => isReady);
      // Where none says that it is ready, all are tried, as load balancers do.
      const among = ready.length > 0 ? ready : backends;
      return among[turn % among.length]?.url ?? '';
    },
    add: (gateway) => void backends.push({ url: urlOf(gateway), isReady: true, isAsked: false }),
    remove: (gateway) => {
      backends = backends.filter(({ url }) => url !== urlOf(gateway));
    },
    stop: () => clearInterval(timer),
  };
}
