import { eventLoopStall } from '../system/event-loop.ts';
import type { HttpClient } from '../system/http-client.ts';
import { untilIdle } from '../system/until-idle.ts';
import { questions, sentences } from '../timing/sentences.ts';
import { type SteadyFigures, sendSteadily } from '../timing/steady-requests.ts';
import { prepareDocuments } from './large-documents.ts';

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

export async function measureNeighbours(
  { client, residentMb, metrics }: NeighboursSystem,
  options: NeighboursOptions,
): Promise<NeighboursRun> {
  const { agents, mebibytes } = options;
  await using closing = new AsyncDisposableStack();
  const documents = await prepareDocuments({ url: client.url, agents, mebibytes, versions });
  closing.defer(() => documents.close());
  await quietLoad(client, { seconds: 3 });
  const before = await residentMb();
  const usual = await quietLoad(client, { seconds: options.seconds });
  await metrics();
  const ended = new AbortController();
  const loading = quietLoad(client, { seconds: longestSeconds, signal: ended.signal });
  const startedAt = performance.now();
  const units = await documents.store().finally(() => ended.abort());
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
    units,
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
