import { setTimeout as pause } from 'node:timers/promises';
import { type AgentRef, agentKey, type MemoryEventOf, maxBearingFacts, memoryQuery } from '@mneme/contracts';
import { causedBy, HopelessError, type Recorded } from '@mneme/event-store';
import { ModelError } from '@mneme/models';
import { LRUCache } from 'lru-cache';
import type { MemoryIngestDeps } from '../deps.ts';
import { type ReviseDeps, reviseOpinion } from '../unit/revise.ts';

export interface RevisionDeps extends ReviseDeps, Pick<MemoryIngestDeps, 'client'> {
  /** Shared between events. */
  readonly agentsWithoutOpinions: AgentsWithoutOpinions;
}

/** Longer than the 5 s that the read model may take to reach the event, in milliseconds. */
const queryTimeoutMs = 15_000;

/**
 * Revises the opinions of an agent that new facts of the world and new experiences affect. May be called again for the same
 * event: an opinion that was revised for it stays as it is.
 * @returns `idle` if there is nothing to revise
 * @throws ModelError when a model may work later; WireError when the read model is unavailable; HopelessError when all
 * opinions were tried and the model cannot weigh some of them
 */
export async function whenFactsExtracted(
  deps: RevisionDeps,
  event: Recorded<MemoryEventOf<'FactsExtracted'>>,
  signal: AbortSignal,
): Promise<'idle' | undefined> {
  const { space, agentId, operationId, embeddingModel } = event.data;
  const { sequence } = event.position;
  const facts = event.data.facts
    .map((fact, index) => ({ ...fact, index: event.data.firstFact + index }))
    .filter(({ factType }) => factType !== 'opinion')
    .slice(0, maxBearingFacts);
  if (facts.length === 0 || deps.agentsWithoutOpinions.had(agentKey(event.data), sequence)) return 'idle';
  const { agent, hasOpinions, readAt, opinions } = await deps.client.request(
    memoryQuery.affectedOpinions,
    {
      space,
      agentId,
      operationId,
      embeddingModel,
      minSequence: sequence,
      facts: facts.map(({ text, vector, index }) => ({ text, vector, index })),
    },
    { correlationId: event.correlationId, timeoutMs: queryTimeoutMs, signal },
  );
  if (!hasOpinions) deps.agentsWithoutOpinions.remember(event.data, readAt);
  const failures: ModelError[] = [];
  for (const { facts: indexes, ...opinion } of opinions) {
    const related = indexes.flatMap((index) => facts[index] ?? []);
    const revision = { event, opinion, facts: related, agent };
    const failure = await lastingFailureOf(() => reviseOpinion(deps, revision, causedBy(event), signal));
    if (failure) failures.push(failure);
  }
  const [first] = failures;
  if (first)
    throw new HopelessError(`Opinions that cannot be weighed: ${failures.length}. ${first.message}`, { cause: first });
  return undefined;
}

/** A model that fails for one opinion at every attempt must not keep the others from being revised. */
async function lastingFailureOf(revise: () => Promise<void>): Promise<ModelError | undefined> {
  try {
    await revise();
    return undefined;
  } catch (error) {
    if (!(error instanceof ModelError) || error.isPassing) throw error;
    return error;
  }
}

/** How many agents are remembered. */
const maxAgents = 10_000;
/** In milliseconds. For long it must not be trusted: in a log that was restored from a backup a position comes a second time. */
const rememberedMs = 5_000;

/**
 * Agents that had no opinions when the read model was at some position: earlier facts affect none. During a bulk import,
 * when this handler is behind the read model, that saves a query for each batch.
 */
export class AgentsWithoutOpinions {
  readonly #readAt = new LRUCache<string, number>({ max: maxAgents, ttl: rememberedMs });

  /** @param readAt the sequence up to which the agent had no opinions */
  remember(agent: AgentRef, readAt: number): void {
    this.#readAt.set(agentKey(agent), readAt);
  }

  /** Whether the agent with a key is known to have had no opinions at a sequence. */
  had(key: string | undefined, sequence: number): boolean {
    return key !== undefined && sequence <= (this.#readAt.get(key) ?? -1);
  }
}

/** The age that an event must reach before it is handled, in milliseconds. */
const debounceMs = 500;

/**
 * Waits until an event has been in the log for a moment, so that during a bulk import one query covers all events of that
 * moment. Events that were queued are old enough already, so at most the first one is delayed.
 * @throws the signal's `AbortError`
 */
export async function debounce({ time }: { readonly time: string }, signal: AbortSignal): Promise<void> {
  const leftMs = debounceMs - (Date.now() - Date.parse(time));
  // The clock of the machine that wrote the event may be ahead.
  if (leftMs > 0) await pause(Math.min(leftMs, debounceMs), undefined, { signal });
}
