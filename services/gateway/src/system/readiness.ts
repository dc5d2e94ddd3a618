import { keys, memoryIngest, memoryQuery, readModelEndpoints, readModelServices, webhook } from '@mneme/contracts';
import { type Check, type Client, pingService, type Readiness, runChecks } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

export interface ReadinessDeps {
  readonly connection: NatsConnection;
  readonly client: Pick<Client, 'request'>;
  /** Reads the last sequence of the event log. */
  readonly head: () => Promise<number>;
}

/** The services that the gateway sends requests to. */
const neededServices = [
  ...new Set([memoryIngest, memoryQuery, keys, webhook].flatMap(Object.values).map(({ service }) => service)),
];
const checkTimeoutMs = 1_000;

/** Checks what the gateway needs to accept batches and deliveries: NATS and the event log. */
export function checkOwnReadiness(deps: Pick<ReadinessDeps, 'connection' | 'head'>): Promise<Readiness> {
  return runChecks(ownChecks(deps));
}

/** Checks NATS, the event log, every needed service and its read models. */
export function checkReadiness(deps: ReadinessDeps): Promise<Readiness> {
  const services = neededServices.map((name): [string, Check] => [name, () => checkService(deps, name)]);
  return runChecks({ ...ownChecks(deps), ...Object.fromEntries(services) });
}

function ownChecks({ connection, head }: Pick<ReadinessDeps, 'connection' | 'head'>): Record<string, Check> {
  return {
    nats: () => connection.flush().then(() => true),
    'event-log': () => head().then(() => true),
  };
}

async function checkService({ connection, client }: ReadinessDeps, name: string): Promise<boolean | string> {
  const service = readModelServices.find((each) => each === name);
  if (!service) return pingService(connection, name, checkTimeoutMs);
  const status = client.request(
    readModelEndpoints(service).status,
    {},
    { correlationId: 'readiness', deadlineMs: checkTimeoutMs },
  );
  const [answers, report] = await Promise.all([
    pingService(connection, name, checkTimeoutMs),
    status.catch(() => undefined),
  ]);
  if (!answers) return false;
  const failing = report?.readModels.filter(({ reason }) => reason !== null) ?? [];
  // Messages of stores are for operators; this page is public.
  return (
    failing.length === 0 ||
    failing.map((each) => `${each.name} is ${each.versions[0]?.state ?? 'rebuilding'}`).join(', ')
  );
}
