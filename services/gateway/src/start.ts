import type { Readiness } from '@mneme/service-kit';
import { listen } from './http/server.ts';
import { createGatewayService, type GatewayDeps } from './service.ts';

export interface RunningGateway {
  readonly url: string;
  readonly port: number;
  ready(): Promise<Readiness>;
  /** Takes no more requests, lets the running ones complete, then closes. The connection stays open. */
  stop(): Promise<void>;
}

/** Starts the gateway and listens on `HOST` and `PORT`. */
export async function startGateway(
  config: GatewayDeps['config'],
  deps: Omit<GatewayDeps, 'config'>,
): Promise<RunningGateway> {
  const gateway = await createGatewayService({ config, ...deps });
  const server = await listen(gateway.app, {
    host: config.HOST,
    port: config.PORT,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    responseStallTimeoutMs: config.RESPONSE_STALL_TIMEOUT_MS,
  }).catch(async (error) => {
    await gateway.stop();
    throw error;
  });
  gateway.announce();
  deps.logger.info({ url: server.url }, 'The gateway listens');
  return {
    url: server.url,
    port: server.port,
    ready: gateway.ready,
    stop: async () => {
      // Together, since `close` waits for running requests and `gateway.stop` ends their waits.
      await Promise.all([server.close(), gateway.stop()]);
    },
  };
}
