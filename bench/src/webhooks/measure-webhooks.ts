import { setInterval } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import { createHttpClient, type HttpClient } from '../system/http-client.ts';
import { inFlight, type Throughput } from '../timing/in-flight.ts';
import { type Latency, latencyOf, median } from '../timing/samples.ts';
import { callSteadily, type SteadyFigures, type SteadyOptions } from '../timing/steady-calls.ts';
import type { FloorProcess } from './floor-process.ts';
import { type MeasuredWebhook, openWebhook } from './measured-webhook.ts';
import { orderCall } from './orders.ts';

export interface WebhooksOptions extends SteadyOptions {
  /** How often each contender has its turn at full speed. */
  readonly rounds: number;
  /** Calls of a turn. */
  readonly calls: number;
  /** How many of them are under way together. */
  readonly atOnce: number;
  /** Whether each service runs in a process of its own, as deployed, or all in one, as `npm start` runs them. */
  readonly apart: boolean;
}

export interface WebhooksRun {
  readonly fullSpeed: {
    readonly measured: Throughput;
    readonly floor: Throughput;
    /** Calls per second beside the floor of the same round; the median over all rounds. */
    readonly ratio: number;
    /** From the last answer of a turn until its last row was there, in seconds. */
    readonly rowsBehindSeconds: number;
    /** From the first call of a turn until its last row, as rows per second. */
    readonly rowsPerSecond: number;
  };
  readonly steady: {
    readonly measured: SteadyFigures;
    readonly floor: SteadyFigures;
    /** How long a look at the rows waited for what had been received when it came. */
    readonly look: Latency;
    readonly rowsBehindSeconds: number;
  };
  /** Calls that were answered with 200, and what has become of them. */
  readonly kept: { readonly answered: number; readonly logged: number; readonly rows: number };
  readonly rebuild: { readonly seconds: number; readonly callsPerSecond: number };
}

const warmUp = 2_000;
const lookEveryMs = 500;
const rebuildTimeoutMs = 3_600_000;

/** What of the running system is measured, and what beside it. */
export interface Contenders {
  readonly client: HttpClient;
  readonly floor: FloorProcess;
  readonly connection: NatsConnection;
}

export async function measureWebhooks(contenders: Contenders, options: WebhooksOptions): Promise<WebhooksRun> {
  const floorClient = createHttpClient(contenders.floor.url);
  const webhook = await openWebhook(contenders.client);
  const callFloor = (body: object) => floorClient.post(contenders.floor.path, body);
  const counted = { answered: 0 };
  const callWebhook = async (body: object) => {
    await webhook.call(body);
    counted.answered += 1;
  };
  try {
    const pair = { webhook, callWebhook, callFloor, answered: () => counted.answered };
    const fullSpeed = await atFullSpeed(pair, options);
    const steady = await atSteadyRate(pair, options);
    const kept = {
      answered: counted.answered,
      logged: await webhook.loggedCalls(),
      rows: await webhook.rowsReach(counted.answered),
    };
    return { fullSpeed, steady, kept, rebuild: await measureRebuild(contenders.connection, counted.answered) };
  } finally {
    floorClient.close();
  }
}

interface Pair {
  readonly webhook: MeasuredWebhook;
  readonly callWebhook: (body: object) => Promise<unknown>;
  readonly callFloor: (body: object) => Promise<unknown>;
  readonly answered: () => number;
}

/** In turns, each first as often as the other; nothing is left to work off when the floor has its turn. */
async function atFullSpeed({ webhook, callWebhook, callFloor, answered }: Pair, options: WebhooksOptions) {
  const { rounds, calls, atOnce } = options;
  const take = (call: (body: object) => Promise<unknown>, count: number) =>
    inFlight(
      atOnce,
      Array.from({ length: count }, (_, index) => () => call(orderCall(index))),
    );
  await take(callFloor, warmUp);
  await take(callWebhook, warmUp);
  await webhook.rowsReach(answered());
  const turns = {
    measured: [] as Throughput[],
    floor: [] as Throughput[],
    behind: [] as number[],
    rows: [] as number[],
  };
  const takeFloor = async () => void turns.floor.push(await take(callFloor, calls));
  const takeMeasured = async () => {
    const startedAt = performance.now();
    turns.measured.push(await take(callWebhook, calls));
    const answeredAt = performance.now();
    await webhook.rowsReach(answered());
    turns.behind.push((performance.now() - answeredAt) / 1_000);
    turns.rows.push(calls / ((performance.now() - startedAt) / 1_000));
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

async function atSteadyRate({ webhook, callWebhook, callFloor, answered }: Pair, options: WebhooksOptions) {
  const floor = await callSteadily(options, (index) => callFloor(orderCall(index)));
  const looks: number[] = [];
  const stop = new AbortController();
  const looking = lookOn(webhook, looks, stop.signal);
  const measured = await callSteadily(options, (index) => callWebhook(orderCall(index)));
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

async function measureRebuild(connection: NatsConnection, calls: number): Promise<WebhooksRun['rebuild']> {
  const startedAt = performance.now();
  const reply = await connection.request('mneme.webhook.rebuild', '{}', { timeout: rebuildTimeoutMs });
  const seconds = (performance.now() - startedAt) / 1_000;
  const answer = reply.json<{ error?: unknown }>();
  if (answer.error) throw new Error(`The rebuild failed: ${JSON.stringify(answer.error)}`);
  return { seconds, callsPerSecond: calls / seconds };
}
