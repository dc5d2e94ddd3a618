import { setTimeout as pause } from 'node:timers/promises';
import {
  type ReadModelService,
  type ReadModelVersion,
  type ReplyOf,
  readModelEndpoints,
  readModelServices,
} from '@mneme/contracts';
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
/**
 * A service can answer if one of its instances can, and NATS chooses at random which one answers a request. With two instances,
 * one of 4,096 looks finds only the one that cannot.
 */
const roundRequests = 3;
const maxRounds = 4;
/** All rounds begin within the 2 s that a service gives what it depends on, so that one process alone is named after these 2 s. */
const roundMs = 500;

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
  // A stream that is missing takes no events either, and the check names it.
  const log: Check = () => own['event-log']().then((isThere) => deps.refusing() ?? isThere);
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
  const asked = askInstances(client, service);
  if (!(await answers)) return { result: false, waiting: 0 };
  return (await asked) ?? { result: true, waiting: 0 };
}

/** What an instance says that can answer, else one that cannot; undefined when none says anything. */
async function askInstances(client: ReadinessDeps['client'], service: ReadModelService): Promise<Checked | undefined> {
  const { status } = readModelEndpoints(service);
  const deadline = performance.now() + statusTimeoutMs;
  const ask = async () => {
    const options = { correlationId: 'readiness', timeoutMs: deadline - performance.now() };
    const report = await client.request(status, {}, options).catch(() => undefined);
    // An instance that leaves requests to others says nothing about their answers.
    return report && report.takesRequests !== false ? describe(report) : undefined;
  };
  const asked: Promise<Checked | undefined>[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    asked.push(...Array.from({ length: roundRequests }, ask));
    const able = await Promise.race([firstAble(asked), pause(roundMs, undefined)]);
    if (able) return able;
  }
  return (await firstAble(asked)) ?? (await Promise.all(asked)).find((found) => found !== undefined);
}

/** Undefined once all have said that they cannot answer. */
function firstAble(asked: readonly Promise<Checked | undefined>[]): Promise<Checked | undefined> {
  const able = asked.map(async (answer) => {
    const found = await answer;
    if (found?.result !== true) throw new Error('This instance cannot answer');
    return found;
  });
  return Promise.any(able).catch(() => undefined);
}

function describe({ readModels, unavailable = [] }: ServiceReport): Checked {
  const failing = readModels.filter(({ reason }) => reason !== null);
  // Messages of stores are for operators; this page is public.
  const states = failing.map(({ name, versions }) => `${name} is ${stateOf(versions)}`);
  const wrong = [...unavailable.map((each) => `${each} is unavailable`), ...states];
  const waiting = readModels.reduce((sum, { versions }) => sum + (versions[0]?.deferrals.length ?? 0), 0);
  return { result: wrong.length === 0 || wrong.join(', '), waiting };
}

/** Of a read model that cannot answer: a version that can may be one of another release, which is kept until it is replaced. */
function stateOf(versions: readonly ReadModelVersion[]): ReadModelVersion['state'] {
  return versions.find(({ state }) => state !== 'live')?.state ?? 'rebuilding';
}
