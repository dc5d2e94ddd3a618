// npm run bench -- many-reads [--at-once 1000] [--units 2000] [--seconds 15] [--json]
// How long searches of one agent take while another agent has very many under way.
import { setTimeout as pause } from 'node:timers/promises';
import { jwtSecret } from './access/first-user.ts';
import type { HttpClient } from './system/http-client.ts';
import { withMeasuredSystem } from './system/measured-system.ts';
import { readOptions } from './system/options.ts';
import { describeMachine, machineLine } from './timing/machine.ts';
import { type Latency, latencyOf } from './timing/samples.ts';
import { questions, sentences, take } from './timing/sentences.ts';

interface ManyReadsReport {
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

const { json, 'at-once': atOnce, units, seconds } = readOptions({ 'at-once': 1_000, units: 2_000, seconds: 15 });
const options = { atOnce, units, seconds };
const report = await withMeasuredSystem({ JWT_SECRET: jwtSecret }, ({ client }) => measureManyReads(client));
const machine = describeMachine();
console.log(json ? JSON.stringify({ machine, ...options, ...report }, null, 2) : table(report));

function table({ alone, beside, loud, loudPerSecond }: ManyReadsReport): string {
  const row = (name: string, { requests, p50Ms, p95Ms }: ManyReadsReport['alone']) =>
    `| ${name} | ${requests} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} |`;
  return [
    machineLine(machine),
    `Two agents with ${options.units} memory units each; all services in one process`,
    '',
    '| searches of | answered | p50 ms | p95 ms |',
    '|---|---|---|---|',
    row('one agent, alone', alone),
    row('the same, beside the other', beside),
    row(`the other, ${options.atOnce} at once`, loud),
    '',
    `The other has ${loudPerSecond.toFixed(0)} searches per second answered.`,
  ].join('\n');
}

async function measureManyReads(client: HttpClient): Promise<ManyReadsReport> {
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
