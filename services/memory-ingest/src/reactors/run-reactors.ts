import { agentKeyOf, memorySubjects } from '@mneme/contracts';
import { maxEventBytes, runHandler } from '@mneme/event-store';
import { defaultThreads, longTasksAtOnce } from '@mneme/workers';
import { presentModels } from '../deps.ts';
import { KeptFacts } from '../operation/kept-facts.ts';
import { type Backlog, factBacklog, vectorBacklog } from './backlog.ts';
import { type HandlerDeps, handlerOptions, isServiceAway } from './handler-options.ts';
import { keepVectorHandlers } from './vector-handlers.ts';
import { giveUpBatch, isLargeBatch, whenBatchSubmitted } from './when-batch-submitted.ts';
import { AgentsWithoutOpinions, debounce, whenFactsExtracted } from './when-facts-extracted.ts';

export interface ReactorDeps extends HandlerDeps {
  /** How many batches are processed concurrently. */
  readonly concurrency: number;
  /** How many threads the models of this process have; `defaultThreads` unless given. */
  readonly modelThreads?: number | undefined;
}

/** The number of attempts after which the operation of a batch fails. */
const maxBatchAttempts = 5;
/** How long an instance that was killed holds its batches before another one gets them, in milliseconds. */
const ackWaitMs = 5_000;
/** The same for what is done in the background. Of thousands that wait for their turn, each is kept by heartbeats until then. */
const backgroundAckWaitMs = 20_000;
/** Low, because batches come before revisions. */
const revisionConcurrency = 2;

/** Starts the reactors of this service. */
export async function runReactors(deps: ReactorDeps): Promise<readonly { stop(): void | Promise<void> }[]> {
  const backlogs = { facts: factBacklog(deps), vectors: vectorBacklog(deps) };
  const handlers = await Promise.all([
    runBatchHandler(deps, backlogs.facts),
    runRevisionHandler(deps),
    keepVectorHandlers({ ...deps, ackWaitMs: backgroundAckWaitMs, backlogs }),
  ]);
  return [backlogs.facts, backlogs.vectors, ...handlers];
}

/**
 * What is read on this machine waits for one of its threads anyway; more of it at once would only take time and memory from
 * requests.
 */
function largeAtOnce({ models, modelThreads = defaultThreads }: ReactorDeps): number | undefined {
  return models.extractor.promptVersion === undefined ? longTasksAtOnce(modelThreads) : undefined;
}

function runBatchHandler(deps: ReactorDeps, backlog: Backlog) {
  const { connection, store, concurrency } = deps;
  const counted = { store: backlog.counting(store), keptFacts: new KeptFacts() };
  const shared = { ...counted, maxEventBytes: () => maxEventBytes(connection) };
  const handlerDeps = () => ({ ...shared, models: presentModels(deps) });
  return runHandler({
    ...handlerOptions(deps),
    durable: 'memory-ingest',
    filterSubject: memorySubjects.allOperations,
    types: ['BatchSubmitted', 'OperationRetried'],
    handle: (event, { signal }) => whenBatchSubmitted(handlerDeps(), event, signal),
    onExhausted: (event, error) => giveUpBatch(store, event, error),
    isLarge: isLargeBatch,
    maxLarge: largeAtOnce(deps),
    isHeldBack: ([, agent]) => backlog.isLong(agent),
    concurrency,
    ackWaitMs,
    maxTries: maxBatchAttempts,
  });
}

function runRevisionHandler(deps: ReactorDeps) {
  const { storeFor, client } = deps;
  const agentsWithoutOpinions = new AgentsWithoutOpinions();
  const clock = () => new Date();
  return runHandler({
    ...handlerOptions(deps),
    durable: 'memory-opinions',
    filterSubject: memorySubjects.allOperations,
    types: ['FactsExtracted'],
    headersOnly: true,
    concerns: ({ subject, sequence }) => !agentsWithoutOpinions.had(agentKeyOf(subject), sequence),
    handle: async (event, { signal }) => {
      await debounce(event, signal);
      const store = storeFor(event.data, event.position.sequence);
      const models = presentModels(deps);
      return whenFactsExtracted({ store, client, models, clock, agentsWithoutOpinions }, event, signal);
    },
    // The opinions stay as they were, so nothing that was said is lost; an operator can have them weighed again.
    onExhausted: 'dead-letter',
    isOutage: isServiceAway,
    concurrency: revisionConcurrency,
    // Otherwise an earlier fact that takes longer to weigh would have the last word about an opinion.
    oneAtATime: true,
    ackWaitMs: backgroundAckWaitMs,
  });
}
