import { type MemoryEvent, type MemoryEventOf, memorySubjects } from '@mneme/contracts';
import { type EventContext, type EventStore, execute, type Recorded } from '@mneme/event-store';
import type { AgentCharacter, EmbeddingModel, OpinionFormer } from '@mneme/models';
import { embedAll } from '../embedding/embed-all.ts';
import { opinionDecider, type UnitHistory } from '../unit/decider.ts';

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
 * Weighs one opinion again, and anew when it was changed meanwhile. Nothing is recorded when it stays as it is, or was
 * revised for this event before.
 * @throws ConflictError when it was changed meanwhile again and again
 */
export async function reviseOpinion(deps: ReviseDeps, bearing: Bearing, signal: AbortSignal): Promise<void> {
  const { event, opinion } = bearing;
  const subject = memorySubjects.unit(event.data, opinion.unitId);
  const weigh = (current: UnitHistory['opinion']) => weighed(deps, bearing, current, signal);
  const command = { type: 'WeighOpinion', because: event.id, weigh } as const;
  await execute(deps.store, opinionDecider, subject, command, causedBy(event), { signal });
}

/** What a model makes of an opinion; undefined when it is to stay as it is. */
async function weighed(deps: ReviseDeps, bearing: Bearing, current: UnitHistory['opinion'], signal: AbortSignal) {
  const { opinion, facts, agent } = bearing;
  const formed = { text: opinion.text, confidence: opinion.confidence ?? confidenceWhenTold };
  const { text, confidence } = current ?? formed;
  const answer = await deps.models.opinions.revise({ opinion: { text, confidence }, facts, agent }, signal);
  const isSame = answer.text === text && answer.confidence === confidence;
  if (answer.verdict === 'keep' || isSame) return undefined;
  const vector = answer.text === text ? null : await vectorOf(deps, { ...opinion, text: answer.text }, signal);
  const entities = answer.verdict === 'rewrite' ? [...answer.entities] : null;
  return { ...revisionOf(deps, bearing), ...answer, verdict: answer.verdict, vector, entities };
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
