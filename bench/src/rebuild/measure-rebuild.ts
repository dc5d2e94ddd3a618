import { readModelEndpoints } from '@mneme/contracts';
import type { NatsConnection } from '@nats-io/nats-core';
import type { HttpClient } from '../system/http-client.ts';
import { questions, sentences } from '../timing/sentences.ts';
import { type SteadyFigures, sendSteadily } from '../timing/steady-requests.ts';

export interface RebuildOptions {
  /** Memory units in the log. */
  readonly units: number;
  /** How many agents they are divided among. */
  readonly agents: number;
  /** How long the usual speed is measured. */
  readonly seconds: number;
}

/** What searches and stores at a steady pace notice. */
export interface LoadFigures {
  readonly searches: SteadyFigures;
  readonly batches: SteadyFigures;
}

export interface RebuildRun {
  /** Without a rebuild, before and after. */
  readonly usual: LoadFigures;
  readonly after: LoadFigures;
  /** While the memory is rebuilt. */
  readonly beside: LoadFigures;
  /** Memory units per second: with that load, and with nothing else going on. */
  readonly unitsPerSecond: { readonly beside: number; readonly alone: number };
}

const searchesPerSecond = 20;
const batchesPerSecond = 5;
const itemsPerBatch = 200;
const seed = 20_261_122;
const longestSeconds = 3_600;

export interface RebuiltSystem {
  readonly client: HttpClient;
  readonly connection: NatsConnection;
}

export async function measureRebuild(system: RebuiltSystem, options: RebuildOptions): Promise<RebuildRun> {
  await fill(system.client, options);
  await steadyLoad(system.client, options, { seconds: 3 });
  const usual = await steadyLoad(system.client, options, { seconds: options.seconds });
  const ended = new AbortController();
  const loading = steadyLoad(system.client, options, { seconds: longestSeconds, signal: ended.signal });
  const busySeconds = await rebuildOnce(system.connection).finally(() => ended.abort());
  const beside = await loading;
  const after = await steadyLoad(system.client, options, { seconds: options.seconds });
  const aloneSeconds = await rebuildOnce(system.connection);
  const { units } = options;
  return { usual, beside, after, unitsPerSecond: { beside: units / busySeconds, alone: units / aloneSeconds } };
}

async function fill(client: HttpClient, { units, agents }: RebuildOptions): Promise<void> {
  const texts = sentences(seed);
  for (let stored = 0, batch = 0; stored < units; stored += itemsPerBatch, batch += 1) {
    const size = Math.min(itemsPerBatch, units - stored);
    const items = Array.from({ length: size }, () => ({ content: texts.next().value }));
    await client.post('/api/memories/batch', { agent_id: agentOf(batch, agents), items });
  }
}

async function steadyLoad(
  client: HttpClient,
  { agents }: RebuildOptions,
  { seconds, signal }: { seconds: number; signal?: AbortSignal },
): Promise<LoadFigures> {
  const asked = questions(seed + 1);
  const texts = sentences(seed + 2);
  const search = (index: number) =>
    client.post('/api/search', { agent_id: agentOf(index, agents), query: asked.next().value });
  const store = () =>
    client.post('/api/memories/batch', { agent_id: 'busy', items: [{ content: texts.next().value }] });
  const lasting = { seconds, ...(signal && { signal }) };
  const [searches, batches] = await Promise.all([
    sendSteadily({ perSecond: searchesPerSecond, ...lasting }, search),
    sendSteadily({ perSecond: batchesPerSecond, ...lasting }, store),
  ]);
  return { searches, batches };
}

/** @returns how long it took, in seconds */
async function rebuildOnce(connection: NatsConnection): Promise<number> {
  const { subject } = readModelEndpoints('memory-query').rebuild;
  const startedAt = performance.now();
  const reply = await connection.request(subject, JSON.stringify({ name: 'memory' }), {
    timeout: longestSeconds * 1_000,
  });
  const answer = reply.json<{ rows?: number; error?: unknown }>();
  if (answer.rows === undefined) throw new Error(`The rebuild failed: ${JSON.stringify(answer)}`);
  return (performance.now() - startedAt) / 1_000;
}

function agentOf(index: number, agents: number): string {
  return `bench-rebuild-${index % agents}`;
}
