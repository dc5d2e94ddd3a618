import { setInterval } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import type { ForkedServer } from '../system/fork-server.ts';
import { createHttpClient, type HttpClient } from '../system/http-client.ts';
import { inFlight, type Throughput } from '../timing/in-flight.ts';
import { type Latency, latencyOf, median } from '../timing/samples.ts';
import { type SteadyFigures, type SteadyOptions, sendSteadily } from '../timing/steady-requests.ts';
import { type MeasuredWebhook, openWebhook } from './measured-webhook.ts';
import { orderDelivery } from './orders.ts';

export interface WebhooksOptions extends SteadyOptions {
  /** How often each contender has its turn at full speed. */
  readonly rounds: number;
  /** Deliveries of a turn. */
  readonly deliveries: number;
  /** How many of them are under way together. */
  readonly atOnce: number;
  /** Whether each service runs in a process of its own, as deployed, or all in one, as `npm start` runs them. */
  readonly apart: boolean;
}

export interface WebhooksRun {
  readonly fullSpeed: {
    readonly measured: Throughput;
    readonly floor: Throughput;
    /** Deliveries per second beside the floor of the same round; the median over all rounds. */
    readonly ratio: number;
    /** From the last answer of a turn until its last row was there, in seconds. */
    readonly rowsBehindSeconds: number;
    /** From the first delivery of a turn until its last row, as rows per second. */
    readonly rowsPerSecond: number;
  };
  readonly steady: {
    readonly measured: SteadyFigures;
    readonly floor: SteadyFigures;
    /** How long a look at the rows waited for what had been received when it came. */
    readonly look: Latency;
    readonly rowsBehindSeconds: number;
  };
  /** Deliveries that were answered with 200, and what has become of them. */
  readonly kept: { readonly answered: number; readonly logged: number; readonly rows: number };
  readonly rebuild: { readonly seconds: number; readonly deliveriesPerSecond: number };
}

const warmUp = 2_000;
const lookEveryMs = 500;
const rebuildTimeoutMs = 3_600_000;

/** What of the running system is measured, and what beside it. */
export interface Contenders {
  readonly client: HttpClient;
  readonly floor: ForkedServer;
  readonly connection: NatsConnection;
}

export async function measureWebhooks(contenders: Contenders, options: WebhooksOptions): Promise<WebhooksRun> {
  const floorClient = createHttpClient(contenders.floor.url);
  const webhook = await openWebhook(contenders.client);
  const deliverToFloor = (body: object) => floorClient.post('/floor', body);
  const counted = { answered: 0 };
  const deliverToWebhook = async (body: object) => {
    await webhook.deliver(body);
    counted.answered += 1;
  };
  try {
    const pair = { webhook, deliverToWebhook, deliverToFloor, answered: () => counted.answered };
    const fullSpeed = await atFullSpeed(pair, options);
    const steady = await atSteadyRate(pair, options);
    const kept = {
      answered: counted.answered,
      logged: await webhook.loggedDeliveries(),
      rows: await webhook.rowsReach(counted.answered),
    };
    return { fullSpeed, steady, kept, rebuild: await measureRebuild(contenders.connection, counted.answered) };
  } finally {
    floorClient.close();
  }
}

interface Pair {
  readonly webhook: MeasuredWebhook;
  readonly deliverToWebhook: (body: object) => Promise<unknown>;
  readonly deliverToFloor: (body: object) => Promise<unknown>;
  readonly answered: () => number;
}

/** In turns, each first as often as the other; nothing is left to process when the floor has its turn. */
async function atFullSpeed({ webhook, deliverToWebhook, deliverToFloor, answered }: Pair, options: WebhooksOptions) {
  const { rounds, deliveries, atOnce } = options;
  const take = (deliver: (body: object) => Promise<unknown>, count: number) =>
    inFlight(
      atOnce,
      Array.from({ length: count }, (_, index) => () => deliver(orderDelivery(index))),
    );
  await take(deliverToFloor, warmUp);
  await take(deliverToWebhook, warmUp);
  await webhook.rowsReach(answered());
  const turns = {
    measured: [] as Throughput[],
    floor: [] as Throughput[],
    behind: [] as number[],
    rows: [] as number[],
  };
  const takeFloor = async () => void turns.floor.push(await take(deliverToFloor, deliveries));
  const takeMeasured = async () => {
    const startedAt = performance.now();
    turns.measured.push(await take(deliverToWebhook, deliveries));
    const answeredAt = performance.now();
    await webhook.rowsReach(answered());
    turns.behind.push((performance.now() - answeredAt) / 1_000);
    turns.rows.push(deliveries / ((performance.now() - startedAt) / 1_000));
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const turn of round % 2 ? [takeMeasured, takeFloor] : [takeFloor, takeMeasured]) await turn();
  }
  const ratios = turns.measured.map(
    ({ perSecond }, round) => perSecond / (turns.floor[round]?.perSecond ?? Number.NaN),
  );
  return {
    measured: medians(turns.measured),
    floor: medians(turns.floor),
    ratio: median(ratios),
    rowsBehindSeconds: median(turns.behind),
    rowsPerSecond: median(turns.rows),
  };
}

function medians(turns: readonly Throughput[]): Throughput {
  const over = (part: keyof Throughput) => median(turns.map((turn) => turn[part]));
  return { perSecond: over('perSecond'), p50Ms: over('p50Ms'), p95Ms: over('p95Ms'), p99Ms: over('p99Ms') };
}

async function atSteadyRate({ webhook, deliverToWebhook, deliverToFloor, answered }: Pair, options: WebhooksOptions) {
  const floor = await sendSteadily(options, (index) => deliverToFloor(orderDelivery(index)));
  const looks: number[] = [];
  const stop = new AbortController();
  const looking = lookOn(webhook, looks, stop.signal);
  const measured = await sendSteadily(options, (index) => deliverToWebhook(orderDelivery(index)));
  const answeredAt = performance.now();
  await webhook.rowsReach(answered());
  const rowsBehindSeconds = (performance.now() - answeredAt) / 1_000;
  stop.abort();
  await looking;
  return { measured, floor, look: latencyOf(looks), rowsBehindSeconds };
}

async function lookOn(webhook: MeasuredWebhook, looks: number[], signal: AbortSignal): Promise<void> {
  try {
    for await (const _tick of setInterval(lookEveryMs, undefined, { signal })) looks.push(await webhook.lookMs());
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function measureRebuild(connection: NatsConnection, deliveries: number): Promise<WebhooksRun['rebuild']> {
  const startedAt = performance.now();
  const reply = await connection.request('mneme.webhook.rebuild', '{}', { timeout: rebuildTimeoutMs });
  const seconds = (performance.now() - startedAt) / 1_000;
  const answer = reply.json<{ error?: unknown }>();
  if (answer.error) throw new Error(`The rebuild failed: ${JSON.stringify(answer.error)}`);
  return { seconds, deliveriesPerSecond: deliveries / seconds };
}
