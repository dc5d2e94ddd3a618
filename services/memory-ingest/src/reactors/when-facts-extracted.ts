import { type MemoryEvent, type MemoryEventOf, maxBearingFacts, memoryQuery } from '@mneme/contracts';
import { type EventStore, HopelessError, type Recorded } from '@mneme/event-store';
import { type EmbeddingModel, ModelError, type OpinionFormer } from '@mneme/models';
import type { Client } from '@mneme/service-kit';
import type { AgentsWithoutOpinions } from '../opinion/agents-without-opinions.ts';
import { reviseOpinion } from '../opinion/commands.ts';

export interface RevisionDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
  readonly models: { readonly opinions: OpinionFormer; readonly embeddings: EmbeddingModel };
  /** What is known of agents without opinions; shared between events. */
  readonly agentsWithoutOpinions: AgentsWithoutOpinions;
}

/** Longer than the 5 s that the read model may take to reach the event. */
const queryTimeoutMs = 15_000;

/**
 * Lets new facts of the world and of what an agent did bear on what it believes. May be called again for the same event:
 * an opinion that was revised for it is left alone.
 * @throws ModelError when a model may work later; WireError when the read model is away; HopelessError when all opinions
 * have had their turn and the model cannot weigh some of them
 */
export async function whenFactsExtracted(
  deps: RevisionDeps,
  event: Recorded<MemoryEventOf<'FactsExtracted'>>,
  signal: AbortSignal,
): Promise<void> {
  const { space, agentId, operationId, embeddingModel } = event.data;
  const facts = event.data.facts.filter(({ factType }) => factType !== 'opinion').slice(0, maxBearingFacts);
  if (facts.length === 0 || deps.agentsWithoutOpinions.had(event.data, event.position.sequence)) return;
  const { agent, hasOpinions, readAt, opinions } = await deps.client.call(
    memoryQuery.affectedOpinions,
    {
      ...{ space, agentId, operationId, embeddingModel, minSequence: event.position.sequence },
      facts: facts.map(({ text, vector }) => ({ text, vector })),
    },
    { correlationId: event.correlationId, deadlineMs: queryTimeoutMs, signal },
  );
  if (!hasOpinions) deps.agentsWithoutOpinions.remember(event.data, readAt);
  const failures: ModelError[] = [];
  for (const { facts: places, ...opinion } of opinions) {
    const bearing = places.flatMap((place) => facts[place]?.text ?? []);
    const failure = await hopelessOf(() => reviseOpinion(deps, { event, opinion, facts: bearing, agent }, signal));
    if (failure) failures.push(failure);
  }
  const [first] = failures;
  if (first)
    throw new HopelessError(`Opinions that cannot be weighed: ${failures.length}. ${first.message}`, { cause: first });
}

/** A model that would fail again and again for one opinion is not to keep the others from being revised. */
async function hopelessOf(revise: () => Promise<void>): Promise<ModelError | undefined> {
  try {
    await revise();
    return undefined;
  } catch (error) {
    if (!(error instanceof ModelError) || error.isPassing) throw error;
    return error;
  }
}
