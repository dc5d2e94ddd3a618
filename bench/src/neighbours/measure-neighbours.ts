import { eventLoopStall } from '../system/event-loop.ts';
import type { HttpClient } from '../system/http-client.ts';
import { storeInBackground } from '../system/store-in-background.ts';
import { untilIdle } from '../system/until-idle.ts';
import { questions, sentences, textOfSentences } from '../timing/sentences.ts';
import { type SteadyFigures, sendSteadily } from '../timing/steady-requests.ts';

export interface NeighboursOptions {
  /** Of each document. */
  readonly mebibytes: number;
  /** How many agents store one each, all at once. */
  readonly agents: number;
  /** How long the usual speed is measured, before the documents and once more afterwards. */
  readonly seconds: number;
}

export interface QuietFigures {
  readonly searches: SteadyFigures;
  readonly batches: SteadyFigures;
}

export interface NeighboursRun {
  readonly usual: QuietFigures;
  /** While the others store and replace. */
  readonly beside: QuietFigures;
  /** When nothing was appended, embedded, or written to or deleted from Qdrant for ten seconds, or after half an hour. */
  readonly after: QuietFigures;
  /** From the first document until the last version of each can be found, in seconds. */
  readonly appliedSeconds: number;
  /** Of all documents at the end; three times as many were stored. */
  readonly units: number;
  /** From then until nothing was appended, embedded, or written to or deleted from Qdrant any more, in seconds; undefined if that took more than half an hour. */
  readonly restSeconds: number | undefined;
  /** Of the process of all services, before and after that, in MB. */
  readonly memoryMb: { readonly before: number | undefined; readonly after: number | undefined };
  /** The longest that the event loop was held up, in seconds. */
  readonly longestStall: number;
}

export interface NeighboursSystem {
  readonly client: HttpClient;
  readonly residentMb: () => Promise<number | undefined>;
  /** In the form of Prometheus. */
  readonly metrics: () => Promise<string>;
}

const versions = 3;
const perSecond = { searches: 5, batches: 2 };
const longestSeconds = 7_200;
/** What a request has besides the document, in bytes. */
const restOfRequest = 4_096;

export async function measureNeighbours(
  { client, residentMb, metrics }: NeighboursSystem,
  options: NeighboursOptions,
): Promise<NeighboursRun> {
  await quietLoad(client, { seconds: 3 });
  const before = await residentMb();
  const usual = await quietLoad(client, { seconds: options.seconds });
  await metrics();
  const ended = new AbortController();
  const loading = quietLoad(client, { seconds: longestSeconds, signal: ended.signal });
  const startedAt = performance.now();
  const agents = Array.from({ length: options.agents }, (_, index) => replaceDocument(client, options, index));
  const units = await Promise.all(agents).finally(() => ended.abort());
  const appliedAt = performance.now();
  const beside = await loading;
  const stall = eventLoopStall(await metrics());
  const idleAt = await untilIdle(metrics);
  const memoryMb = { before, after: await residentMb() };
  const after = await quietLoad(client, { seconds: options.seconds });
  return {
    usual,
    beside,
    after,
    appliedSeconds: (appliedAt - startedAt) / 1_000,
    restSeconds: idleAt === undefined ? undefined : (idleAt - appliedAt) / 1_000,
    units: units.reduce((sum, count) => sum + count, 0),
    memoryMb,
    longestStall: stall,
  };
}

/** An agent that stores single facts and looks for them. */
async function quietLoad(
  client: HttpClient,
  { seconds, signal }: { seconds: number; signal?: AbortSignal },
): Promise<QuietFigures> {
  const texts = sentences(7);
  const asked = questions(8);
  const agent_id = 'bench-quiet';
  const lasting = { seconds, ...(signal && { signal }) };
  const [batches, searches] = await Promise.all([
    sendSteadily({ perSecond: perSecond.batches, ...lasting }, () =>
      client.post('/api/memories/batch', { agent_id, items: [{ content: texts.next().value }] }),
    ),
    sendSteadily({ perSecond: perSecond.searches, ...lasting }, () =>
      client.post('/api/search', { agent_id, query: asked.next().value }),
    ),
  ]);
  return { searches, batches };
}

/** Stores a document of which each version has other sentences. @returns how many units the last one has */
async function replaceDocument(client: HttpClient, { mebibytes }: NeighboursOptions, index: number): Promise<number> {
  const agent_id = `bench-large-${index}`;
  for (let version = 1; version <= versions; version += 1) {
    const content = textOfSentences(mebibytes * 2 ** 20 - restOfRequest, 100 * index + version);
    await storeInBackground(client, { agent_id, document_id: 'book', items: [{ content }] });
  }
  const { total_nodes } = (await client.get(`/api/stats/${agent_id}`)) as { total_nodes: number };
  return total_nodes;
}
