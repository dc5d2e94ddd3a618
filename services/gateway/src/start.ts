import { setTimeout as pause } from 'node:timers/promises';
import type { Readiness, ServiceProcess } from '@mneme/service-kit';
import { LineLimit } from '@mneme/workers/line-limit';
import { type GatewayConfig, warningAbout } from './config.ts';
import { listen } from './http/server.ts';
import { createGatewayService } from './service.ts';

export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  ready(): Promise<Readiness>;
  /**
   * Turns its readiness off, then takes no more requests, lets the running ones complete, and closes. The connection stays
   * open.
   * @param patienceMs how long requests may wait for an outcome meanwhile, in milliseconds; 6 000 unless given
   */
  stop(patienceMs?: number): Promise<void>;
}

/** How long requests may wait for an outcome when the gateway stops, in milliseconds: less than the server lets them live. */
const defaultPatienceMs = 6_000;

/** Starts the gateway and listens on `HOST` and `PORT`. */
export async function startGateway(config: GatewayConfig, deps: ServiceProcess): Promise<RunningGateway> {
  const gateway = await createGatewayService({ config, ...deps });
  const refused = new LineLimit();
  const server = await listen(gateway.app, {
    host: config.HOST,
    port: config.PORT,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    responseStallTimeoutMs: config.RESPONSE_STALL_TIMEOUT_MS,
    onBroken: (about) => deps.logger.info(about, 'Request'),
    onRefusedConnection: () =>
      refused.write((omitted) => deps.logger.warn({ ...omitted }, 'A connection was refused: too many are open')),
  }).catch(async (error) => {
    await gateway.stop();
    throw error;
  });
  gateway.announce();
  const warning = warningAbout(config);
  if (warning !== undefined) deps.logger.warn(warning);
  deps.logger.info({ url: server.url }, 'The gateway listens');
  return {
    url: server.url,
    port: server.port,
    ready: gateway.ready,
    stop: async (patienceMs = defaultPatienceMs) => {
      gateway.beginStopping();
      server.letGo();
      if (config.SHUTDOWN_DELAY_MS > 0) await pause(config.SHUTDOWN_DELAY_MS);
      const closed = server.close();
      gateway.endStreams();
      const ending = setTimeout(gateway.endWaits, patienceMs);
      await closed;
      clearTimeout(ending);
      await gateway.stop();
    },
  };
}
