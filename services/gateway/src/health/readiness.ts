import { keys, memoryIngest, memoryQuery, webhook } from '@mneme/contracts';
import { type Check, pingService, type Readiness, runChecks } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

/** The services that the gateway's calls go to. */
const neededServices = [
  ...new Set([memoryIngest, memoryQuery, keys, webhook].flatMap(Object.values).map(({ service }) => service)),
];

/** Asks NATS, the event log and every needed service for a sign of life. */
export function checkReadiness(connection: NatsConnection, eventLogHead: () => Promise<number>): Promise<Readiness> {
  const services = neededServices.map((name): [string, Check] => [name, () => pingService(connection, name)]);
  return runChecks({
    nats: () => connection.flush().then(() => true),
    'event-log': () => eventLogHead().then(() => true),
    ...Object.fromEntries(services),
  });
}
