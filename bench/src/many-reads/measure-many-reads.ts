import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from '../system/http-client.ts';
import { type Latency, latencyOf } from '../timing/samples.ts';
import { questions, sentences, take } from '../timing/sentences.ts';

export interface ManyReadsOptions {
  /** How many searches one agent has under way at any time. */
  readonly atOnce: number;
  /** Memory units of each agent. */
  readonly units: number;
  readonly seconds: number;
}

export interface ManyReadsReport {
  /** The searches of an agent that asks one after the other. */
  readonly alone: Latency;
  readonly beside: Latency;
  /** Those of the agent that asks many at once. */
  readonly loud: Latency;
  readonly loudPerSecond: number;
}

const batchSize = 500;
const restMs = 50;
/** Until then the first of the many are answered, and the code is compiled. */
const warmUpSeconds = 4;

export async function measureManyReads(client: HttpClient, options: ManyReadsOptions): Promise<ManyReadsReport> {
  const texts = sentences(1);
  for (const agent_id of ['loud', 'quiet'])
    for (let stored = 0; stored < options.units; stored += batchSize) {
      const items = take(texts, batchSize).map((content) => ({ content }));
      await client.post('/api/memories/batch', { agent_id, items });
    }
  const asked = questions(3);
  const search = async (agent_id: string): Promise<number> => {
    const startedAt = performance.now();
    await client.post('/api/search', { agent_id, query: asked.next().value });
    return performance.now() - startedAt;
  };
  const oneByOne = async (seconds: number) => {
    const durations: number[] = [];
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; await pause(restMs))
      durations.push(await search('quiet'));
    return durations;
  };
  await oneByOne(warmUpSeconds);
  const alone = latencyOf(await oneByOne(options.seconds));
  const durations: number[] = [];
  let isOver = false;
  const loud = Array.from({ length: options.atOnce }, async () => {
    while (!isOver) durations.push(await search('loud'));
  });
  await oneByOne(warmUpSeconds);
  const before = durations.length;
  const startedAt = performance.now();
  const beside = latencyOf(await oneByOne(options.seconds));
  const loudPerSecond = ((durations.length - before) * 1_000) / (performance.now() - startedAt);
  isOver = true;
  await Promise.all(loud);
  return { alone, beside, loud: latencyOf(durations.slice(before)), loudPerSecond };
}
