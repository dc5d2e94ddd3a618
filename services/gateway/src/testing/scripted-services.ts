import { type Endpoint, keys, memoryIngest, memoryQuery, webhook } from '@mneme/contracts';
import { type Logger, type RequestHandler, type Service, startService } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

type Requests = { name: string; request: unknown; correlationId: string }[];

/** Stands in for the other services over a real NATS: each test says what an endpoint answers. */
export interface ScriptedServices {
  /** Sets what `endpoint` answers from now on. */
  answer<Req, Rep>(endpoint: Endpoint<Req, Rep>, handler: RequestHandler<Req, Rep>): void;
  /** The requests to one endpoint since the last reset. */
  requestsTo(endpoint: Endpoint): Requests;
  /** Forgets all requests, and answers as at the start: searches and lists of agents with nothing. */
  reset(): void;
  stop(name: string): Promise<void>;
  start(name: string): Promise<void>;
}

export function startScriptedServices(connection: NatsConnection, logger: Logger): ScriptedServices {
  const handlers = new Map<string, RequestHandler<never, unknown>>();
  const requests: Requests = [];
  const running = new Map<string, Service>();
  const endpoints: Endpoint[] = [memoryIngest, memoryQuery, keys, webhook].flatMap((of): Endpoint[] =>
    Object.values(of),
  );

  const start = async (name: string) => {
    const service = startService({ connection, name, version: '0.0.1', logger });
    for (const endpoint of endpoints.filter((candidate) => candidate.service === name)) {
      service.serve(endpoint, (request, context) => {
        requests.push({ name: endpoint.subject, request, correlationId: context.correlationId });
        const handler = handlers.get(endpoint.subject);
        if (!handler) throw new Error(`Nothing is scripted for ${endpoint.subject}`);
        return handler(request as never, context);
      });
    }
    service.announce();
    running.set(name, service);
    await connection.flush();
  };

  return {
    answer: (endpoint, handler) => void handlers.set(endpoint.subject, handler),
    requestsTo: (endpoint) => requests.filter(({ name }) => name === endpoint.subject),
    reset: () => {
      handlers.clear();
      requests.length = 0;
      handlers.set(memoryQuery.awaitPosition.subject, () => ({ reached: true }));
      handlers.set(memoryQuery.search.subject, () => ({ results: [], trace: null }));
      handlers.set(memoryQuery.listAgents.subject, () => ({ agents: [], total: 0, next_cursor: null }));
      // Gateways tell every few seconds what they have counted.
      handlers.set(keys.countUsage.subject, () => ({}));
    },
    start,
    stop: async (name) => {
      await running.get(name)?.stop();
      running.delete(name);
    },
  };
}
