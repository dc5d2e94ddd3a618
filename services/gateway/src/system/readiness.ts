import { type ReplyOf, readModelEndpoints, readModelServices } from '@mneme/contracts';
import { servicesBehindGateway } from '@mneme/read-models';
import { type Check, type Client, pingService, type Readiness, runChecks } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

export interface ReadinessDeps {
  readonly connection: NatsConnection;
  readonly client: Pick<Client, 'request'>;
  /** Reads the last sequence of each stream of the event log. */
  readonly heads: () => Promise<unknown>;
  /** Which streams take no events, in one sentence; undefined when none is known to refuse them. */
  readonly refusing: () => string | undefined;
}

/** An answer crosses four links: to NATS and on to the service, and back. */
const checkTimeoutMs = 1_500;
/** A service gives what it depends on 2 s to answer. */
const statusTimeoutMs = 3_500;
/** Longer than both, so that a service which answers is not out of reach because its status is late. */
const longestCheckMs = 4_000;
/** Each is answered by some instance. A service can answer if one of its instances can. */
const statusRequests = 3;

/** Checks what the gateway needs to accept batches and deliveries: NATS and the event log. */
export function checkOwnReadiness(deps: Pick<ReadinessDeps, 'connection' | 'heads'>): Promise<Readiness> {
  return runChecks(ownChecks(deps));
}

/**
 * Checks NATS, the event log, every needed service and its read models. Only this one tells that the event log takes no events:
 * a gateway without requests would never find out that it does again, and reads go on.
 */
export async function checkReadiness(deps: ReadinessDeps): Promise<Readiness> {
  const waiting: Record<string, number> = {};
  const check = async (name: string) => {
    const checked = await checkService(deps, name);
    if (checked.waiting > 0) waiting[name] = checked.waiting;
    return checked.result;
  };
  const services = servicesBehindGateway.map((name): [string, Check] => [name, () => check(name)]);
  const own = ownChecks(deps);
  const log: Check = () => deps.refusing() ?? own['event-log']();
  const readiness = await runChecks({ ...own, 'event-log': log, ...Object.fromEntries(services) }, longestCheckMs);
  return Object.keys(waiting).length > 0 ? { ...readiness, waiting } : readiness;
}

function ownChecks({ connection, heads }: Pick<ReadinessDeps, 'connection' | 'heads'>) {
  return {
    nats: () => connection.flush().then(() => true),
    'event-log': () => heads().then(() => true),
  } satisfies Record<string, Check>;
}

type ServiceReport = ReplyOf<ReturnType<typeof readModelEndpoints>['status']>;

interface Checked {
  readonly result: boolean | string;
  /** How many aggregates wait for a dead letter. */
  readonly waiting: number;
}

async function checkService({ connection, client }: ReadinessDeps, name: string): Promise<Checked> {
  const service = readModelServices.find((each) => each === name);
  const answers = pingService(connection, name, checkTimeoutMs);
  if (!service) return { result: await answers, waiting: 0 };
  const ask = () =>
    client
      .request(readModelEndpoints(service).status, {}, { correlationId: 'readiness', timeoutMs: statusTimeoutMs })
      .catch(() => undefined);
  const asked = Promise.all(Array.from({ length: statusRequests }, ask));
  if (!(await answers)) return { result: false, waiting: 0 };
  // An instance that leaves requests to others says nothing about their answers.
  const found = (await asked).flatMap((report) => (report && report.takesRequests !== false ? [describe(report)] : []));
  return found.find(({ result }) => result === true) ?? found[0] ?? { result: true, waiting: 0 };
}

function describe({ readModels, unavailable = [] }: ServiceReport): Checked {
  const failing = readModels.filter(({ reason }) => reason !== null);
  // Messages of stores are for operators; this page is public.
  const states = failing.map((each) => `${each.name} is ${each.versions[0]?.state ?? 'rebuilding'}`);
  const wrong = [...unavailable.map((each) => `${each} is unavailable`), ...states];
  const waiting = readModels.reduce((sum, { versions }) => sum + (versions[0]?.deferrals.length ?? 0), 0);
  return { result: wrong.length === 0 || wrong.join(', '), waiting };
}
