import { setTimeout as pause } from 'node:timers/promises';
import { agentKey, partitionOf } from '@mneme/contracts';
import type { HttpClient } from '../system/http-client.ts';
import { storeInBackground } from '../system/store-in-background.ts';
import { latencyOf } from '../timing/samples.ts';
import { sentences, take } from '../timing/sentences.ts';
import type { SteadyFigures } from '../timing/steady-requests.ts';

export interface ImportOptions {
  /** How many are imported. */
  readonly items: number;
  /** How many of them are in one batch. */
  readonly batch: number;
  /** How long the usual speed is measured before the import. */
  readonly seconds: number;
  /** How long the others go on after the import, while vectors are added. */
  readonly tail: number;
}

/** Single items that two agents store synchronously, one after the other. */
export interface OthersFigures {
  readonly sameLane: SteadyFigures;
  readonly otherLane: SteadyFigures;
}

export interface ImportRun {
  readonly usual: OthersFigures;
  /** During the import and for the time after it. */
  readonly beside: OthersFigures;
  /** From the first batch until the last one is stored. */
  readonly importSeconds: number;
}

const importer = 'bench-importer';
const lane = partitionOf(agentKey({ space: 'public', agentId: importer }));
/** Between two items of one agent, in milliseconds. */
const pauseMs = 500;

/** The first agent of such a name that is, or is not, in the lane of the importer. */
function agentIn(isSame: boolean): string {
  for (let number = 1; ; number += 1) {
    const agentId = `bench-other-${number}`;
    if ((partitionOf(agentKey({ space: 'public', agentId })) === lane) === isSame) return agentId;
  }
}

export async function measureImport(client: HttpClient, options: ImportOptions): Promise<ImportRun> {
  await others(client, AbortSignal.timeout(3_000));
  const usual = await others(client, AbortSignal.timeout(options.seconds * 1_000));
  const ended = new AbortController();
  const loading = others(client, ended.signal);
  const startedAt = performance.now();
  const contents = sentences(1);
  const store = (count: number) => {
    const items = take(contents, count).map((content) => ({ content }));
    return storeInBackground(client, { agent_id: importer, items });
  };
  const batches = Math.ceil(options.items / options.batch);
  await Promise.all(Array.from({ length: batches }, () => store(options.batch)));
  const importSeconds = (performance.now() - startedAt) / 1_000;
  await pause(options.tail * 1_000);
  ended.abort();
  return { usual, beside: await loading, importSeconds };
}

async function others(client: HttpClient, signal: AbortSignal): Promise<OthersFigures> {
  const [sameLane, otherLane] = await Promise.all([
    storeOneByOne(client, agentIn(true), signal),
    storeOneByOne(client, agentIn(false), signal),
  ]);
  return { sameLane, otherLane };
}

async function storeOneByOne(client: HttpClient, agent_id: string, signal: AbortSignal): Promise<SteadyFigures> {
  const texts = sentences(7);
  const durations: number[] = [];
  let refused = 0;
  while (!signal.aborted) {
    const startedAt = performance.now();
    try {
      await client.post('/api/memories/batch', { agent_id, items: [{ content: texts.next().value }] });
      durations.push(performance.now() - startedAt);
    } catch {
      refused += 1;
    }
    await pause(pauseMs);
  }
  return { ...latencyOf(durations), maxMs: durations.reduce((max, each) => Math.max(max, each), 0), refused };
}
