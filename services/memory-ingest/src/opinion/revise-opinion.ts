import { type MemoryEvent, type MemoryEventOf, memorySubjects } from '@mneme/contracts';
import type { EventContext, EventStore, Recorded } from '@mneme/event-store';
import type { AgentCharacter, EmbeddingModel, OpinionFormer } from '@mneme/models';
import { unitDecider } from '../unit/unit-decider.ts';
import { embedAll } from '../vectors/vector-text.ts';

export interface Bearing {
  /** What brought the facts. */
  readonly event: Recorded<MemoryEventOf<'FactsExtracted'>>;
  /** As the read model has it. */
  readonly opinion: {
    readonly unitId: string;
    readonly text: string;
    readonly confidence: number | null;
    readonly eventDate: string;
  };
  readonly facts: readonly string[];
  readonly agent: AgentCharacter;
}

export interface ReviseDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly models: { readonly opinions: OpinionFormer; readonly embeddings: EmbeddingModel };
}

/** Of an opinion that was told and not formed by a thought. */
const confidenceWhenTold = 0.5;

/**
 * Weighs one opinion again. Nothing is recorded when it stays as it is, or was revised for this event before.
 * @throws ConflictError when it was changed meanwhile; then it is to be weighed anew
 */
export async function reviseOpinion(deps: ReviseDeps, bearing: Bearing, signal: AbortSignal): Promise<void> {
  const { event, opinion, facts, agent } = bearing;
  const subject = memorySubjects.unit(event.data, opinion.unitId);
  const { events, revision } = await deps.store.load(subject);
  const history = events.reduce(unitDecider.evolve, unitDecider.initialState);
  if (history.isForgotten || history.revisedFor.has(event.id)) return;
  const { text, confidence } = {
    confidence: opinion.confidence ?? confidenceWhenTold,
    text: opinion.text,
    ...history.opinion,
  };
  const weighed = await deps.models.opinions.revise({ opinion: { text, confidence }, facts, agent }, signal);
  const isSame = weighed.text === text && weighed.confidence === confidence;
  if (weighed.verdict === 'keep' || isSame) return;
  const vector = weighed.text === text ? null : await vectorOf(deps, { ...opinion, text: weighed.text }, signal);
  const entities = weighed.verdict === 'rewrite' ? [...weighed.entities] : null;
  const revised = { ...revisionOf(deps, bearing), ...weighed, verdict: weighed.verdict, vector, entities };
  const decided = unitDecider.decide({ type: 'ReviseOpinion', revision: revised }, history);
  if (decided.length > 0) await deps.store.append(subject, decided, revision, causedBy(event));
}

function revisionOf({ models }: ReviseDeps, { event, opinion }: Bearing) {
  const { space, agentId } = event.data;
  const { name: former, promptVersion } = models.opinions;
  const embeddingModel = models.embeddings.name;
  return {
    space,
    agentId,
    unitId: opinion.unitId,
    eventDate: opinion.eventDate,
    because: event.id,
    former,
    promptVersion,
    embeddingModel,
  };
}

async function vectorOf(
  { models }: ReviseDeps,
  { text, eventDate }: { text: string; eventDate: string },
  signal: AbortSignal,
): Promise<string | null> {
  const [vector = null] = await embedAll(models.embeddings, [{ text, eventDate }], signal);
  return vector;
}

function causedBy({ correlationId, id, actor }: Bearing['event']): EventContext {
  return { correlationId, causationId: id, ...(actor === undefined ? {} : { actor }) };
}
