import { keys, memoryIngest, memoryQuery, readModelEndpoints, readModelServices, webhook } from '@mneme/contracts';
import { type Check, type Client, pingService, type Readiness, runChecks } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

export interface ReadinessDeps {
  readonly connection: NatsConnection;
  readonly client: Pick<Client, 'request'>;
  /** Asks the event log for its last sequence. */
  readonly head: () => Promise<number>;
}

/** The services that the gateway's calls go to. */
const neededServices = [
  ...new Set([memoryIngest, memoryQuery, keys, webhook].flatMap(Object.values).map(({ service }) => service)),
];
const askMs = 1_000;

/** Asks NATS, the event log and every needed service whether they can answer, and with what they cannot. */
export function checkReadiness(deps: ReadinessDeps): Promise<Readiness> {
  const { connection, head } = deps;
  const services = neededServices.map((name): [string, Check] => [name, () => checkService(deps, name)]);
  return runChecks({
    nats: () => connection.flush().then(() => true),
    'event-log': () => head().then(() => true),
    ...Object.fromEntries(services),
  });
}

async function checkService({ connection, client }: ReadinessDeps, name: string): Promise<boolean | string> {
  const service = readModelServices.find((each) => each === name);
  if (!service) return pingService(connection, name, askMs);
  const asked = client.request(readModelEndpoints(service).status, {}, { correlationId: 'readiness', deadlineMs: askMs });
  const [answers, report] = await Promise.all([pingService(connection, name, askMs), asked.catch(() => undefined)]);
  if (!answers) return false;
  const troubled = report?.readModels.filter(({ reason }) => reason !== null) ?? [];
  // What stores say is for operators; this page is for everybody.
  return (
    troubled.length === 0 ||
    troubled.map((each) => `${each.name} is ${each.versions[0]?.state ?? 'rebuilding'}`).join(', ')
  );
}
