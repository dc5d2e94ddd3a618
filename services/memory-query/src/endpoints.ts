import { type AgentRef, memoryQuery, memorySubjects } from '@mneme/contracts';
import { asIntact } from '@mneme/read-models';
import type { Logger, RequestContext } from '@mneme/service-kit';
import type { Slot } from '@mneme/workers/fair-limiter';
import { awaitErasure, listAgents } from './agents/queries.ts';
import type { MemoryQueryDeps, QueryModels } from './deps.ts';
import { findDocument, getDocument, listDocuments, supersededBy } from './documents/queries.ts';
import { graph } from './graph/queries.ts';
import { awaitOperation, currentStatus, listOperations } from './operations/queries.ts';
import { opinionHistory } from './opinions/history.ts';
import { affectedOpinions, heldOpinions, storedOpinions } from './opinions/queries.ts';
import { createAppliedIn } from './read-model/deferred-agents.ts';
import type { ReadableRows, ReadRequirement } from './read-model/reads.ts';
import { createRequiredSequence, type RequiredSequence } from './required-events.ts';
import type { CrossEncoder } from './search/scoring/cross-encode.ts';
import { search } from './search/search.ts';
import { searchAgents } from './search/search-agents.ts';
import { agentStats } from './stats/queries.ts';
import { recallFor, think } from './think/queries.ts';
import { type GetUnitDeps, getUnit } from './units/get-unit.ts';
import { findUnit, listUnits } from './units/queries.ts';

/** Events of operations without which what they have stored is not complete, but nothing about them is untrue. */
const adds: ReadonlySet<string> = new Set(['FactsExtracted', 'OperationStarted']);

/** Answers the queries about memories. */
export function serveQueries(deps: MemoryQueryDeps): void {
  serveWaits(deps);
  // A missing operation would look completed, and a cancelled or failed one pending; how many units there are is as of now.
  const accepted = createRequiredSequence(deps, (type) => !adds.has(type ?? ''));
  serveOperations(deps, accepted);
  serveRows(deps, accepted);
  serveMemories(deps);
}

function serveWaits({ service, readModel, agentKeyAt }: MemoryQueryDeps): void {
  service.serve(memoryQuery.awaitPosition, async ({ sequence, waitMs, agentKey, isBackground = false }) => {
    const deadline = performance.now() + waitMs;
    const key = agentKey ?? (await agentKeyAt(sequence));
    const leftMs = Math.max(0, deadline - performance.now());
    return { reached: await readModel.await(sequence, leftMs, key, { isBackground }) };
  });
  service.serve(memoryQuery.awaitErasure, (request) => awaitErasure(readModel, request));
}

function serveOperations(deps: MemoryQueryDeps, accepted: RequiredSequence): void {
  const { service, reads } = deps;
  service.serve(memoryQuery.awaitOperation, (request) => awaitOperation(deps, request));
  service.serve(memoryQuery.listOperations, async (query, context) => {
    const minSequence = await accepted(memorySubjects.operationsOf(query), query);
    const list = async () => listOperations(await reads.ofAgent(query, minSequence), query);
    return inSlot(deps, { ...query, minSequence }, list, context);
  });
  service.serve(memoryQuery.operationStatus, (query) => currentStatus(deps, query));
  service.serve(memoryQuery.supersededBy, async (query) => {
    return { by: await supersededBy(await reads.ofSpace(query.space), query) };
  });
}

/**
 * Waits for what the query requires, then for a slot, and then does what it asks for. The reads within make sure of the
 * position once more: a version that took over meanwhile may not be as far.
 */
async function inSlot<T>(
  { reads, readSlots, readModel }: MemoryQueryDeps,
  query: ReadRequirement,
  work: (slot: Slot) => Promise<T>,
  context: RequestContext,
): Promise<T> {
  await reads.reached(query);
  return asIntact(readModel, () => readSlots.run(ownerOf(query), work, context));
}

/** Slots are shared fairly by spaces, and within a space by agents. */
function ownerOf({ space, agentId = '' }: ReadRequirement): [space: string, agentId: string] {
  return [space, agentId];
}

function serveRows(deps: MemoryQueryDeps, accepted: RequiredSequence): void {
  const { service, store, reads, readModel, messageAt } = deps;
  const appliedIn = createAppliedIn({ readModel, messageAt });
  const ofSpace =
    <Q extends ReadRequirement, R>(read: (rows: ReadableRows, query: Q) => Promise<R>) =>
    (query: Q, context: RequestContext): Promise<R> => {
      const { space, agentId, minSequence } = query;
      const work = async () => {
        const readable =
          agentId === undefined ? reads.ofSpace(space, minSequence) : reads.ofAgent({ space, agentId }, minSequence);
        return read(await readable, query);
      };
      return inSlot(deps, query, work, context);
    };
  /** The same with the position that a space without one of its agents is as of. */
  const listing = <Q extends ReadRequirement, R>(read: (rows: ReadableRows, query: Q) => Promise<R>) =>
    ofSpace(async (rows, query: Q) => {
      const asOf = query.agentId === undefined ? await appliedIn(query.space) : undefined;
      return { ...(await read(rows, query)), ...(asOf !== undefined && { asOf }) };
    });
  service.serve(
    memoryQuery.findUnit,
    ofSpace(({ collections }, query) => findUnit(collections, query)),
  );
  const unitDeps: GetUnitDeps = { store, reads, messageAt };
  service.serve(memoryQuery.getUnit, (query, context) => {
    return inSlot(deps, query, () => getUnit(unitDeps, query), context);
  });
  service.serve(memoryQuery.opinionHistory, (query, context) => {
    return inSlot(deps, query, () => opinionHistory(unitDeps, query), context);
  });
  service.serve(memoryQuery.heldOpinions, ofSpace(heldOpinions));
  service.serve(memoryQuery.storedOpinions, ofSpace(storedOpinions));
  service.serve(memoryQuery.findDocument, ofSpace(findDocument));
  service.serve(memoryQuery.listUnits, listing(listUnits));
  service.serve(memoryQuery.graph, listing(graph));
  service.serve(memoryQuery.listDocuments, ofSpace(listDocuments));
  service.serve(memoryQuery.getDocument, ofSpace(getDocument));
  service.serve(memoryQuery.listAgents, listing(listAgents));
  service.serve(memoryQuery.stats, async (query, context) => {
    const minSequence = await accepted(memorySubjects.operationsOf(query), query);
    const work = async () => agentStats(await reads.ofAgent(query, minSequence, query.isBehindAllowed), query);
    return inSlot(deps, { ...query, minSequence }, work, context);
  });
}

function serveMemories(deps: MemoryQueryDeps): void {
  const { service, models, lexical, searchWithout: without, reads, readModel, readSlots, logger } = deps;
  const decided = createRequiredSequence(deps, (type) => type !== 'AgentCreated');
  const crossEncoder = crossEncoderOf(models, logger);
  const { thinker } = models;
  const toSearch = async (agent: AgentRef, minSequence: number | undefined, isBackground = false) => {
    const readable = await reads.toSearch(agent, minSequence, isBackground);
    return { ...readable, removals: await readable.removals };
  };
  service.serve(memoryQuery.search, async (query, context) => {
    const { agentId, agentIds, ...about } = query;
    const { signal } = context;
    const depsOf = async (searched: string, slot: Slot) => {
      const readable = await reads.toSearch({ ...query, agentId: searched }, query.minSequence);
      return { ...readable, lexical, without, crossEncoder, slot, signal };
    };
    if (!agentIds) {
      return inSlot(deps, query, async (slot) => search(await depsOf(agentId, slot), query), context);
    }
    await Promise.all(agentIds.map((each) => reads.reached({ ...about, agentId: each })));
    const work = (slot: Slot) => searchAgents((each) => depsOf(each, slot), query, agentIds);
    return asIntact(readModel, () => readSlots.run(ownerOf(query), work, context));
  });
  // Asked for all facts that are stored: as a question, it would slow down the storing of the next ones.
  service.serve(memoryQuery.affectedOpinions, async (query) => {
    const readable = await toSearch(query, query.minSequence, true);
    return { ...(await affectedOpinions({ ...readable, lexical }, query)), readAt: readable.readAt };
  });
  service.serve(memoryQuery.think, async (asked, context) => {
    const { signal } = context;
    // Otherwise the answer would be from before an erasure of the agent, or from a background that was replaced.
    const minSequence = (await decided(memorySubjects.agent(asked), asked)) || undefined;
    const query = { ...asked, minSequence };
    const now = query.questionDate ?? new Date().toISOString();
    const read = async (slot: Slot) => {
      const readable = await toSearch(query, query.minSequence);
      const knowledge = await recallFor({ ...readable, lexical, slot }, query, { now, signal });
      return { knowledge, readAt: readable.readAt };
    };
    const { knowledge, readAt } = await inSlot(deps, query, read, context);
    return { ...(await think(thinker, query, knowledge, { now, signal })), readAt };
  });
}

function crossEncoderOf({ reranker }: QueryModels, logger: Logger): CrossEncoder | undefined {
  if (!reranker) return undefined;
  const onFailure = (error: unknown) =>
    logger.warn(
      { err: error },
      'A search was not reranked by the model; its results are in the order of the heuristic',
    );
  return { reranker, onFailure };
}
