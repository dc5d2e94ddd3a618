import { type MemoryEventOf, type memoryQuery, memorySubjects, type ReplyOf } from '@mneme/contracts';
import { embedAll } from '@mneme/embedding-model';
import { type EventContext, execute, type Recorded } from '@mneme/event-store';
import type { AgentCharacter } from '@mneme/models';
import type { MemoryIngestDeps, PresentModels } from '../deps.ts';
import { atMost, type CurrentOpinion, newestOf, opinionDecider } from './decider.ts';

export interface ReviseDeps extends Pick<MemoryIngestDeps, 'store'> {
  readonly models: Pick<PresentModels, 'opinions' | 'embeddings'>;
  readonly clock: () => Date;
}

/** An opinion and the new facts that are related to it. */
export interface Revision {
  readonly event: Recorded<MemoryEventOf<'FactsExtracted'>>;
  /** As the read model has it. */
  readonly opinion: Omit<ReplyOf<typeof memoryQuery.affectedOpinions>['opinions'][number], 'facts'>;
  readonly facts: readonly RelatedFact[];
  readonly agent: AgentCharacter;
}

export interface RelatedFact {
  readonly text: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly eventDate: string;
  /** Its index among all facts of the batch. */
  readonly index: number;
}

/** The confidence of an opinion that was submitted, not formed by a thought. */
const confidenceWhenTold = 0.5;

/**
 * Weighs one opinion again, and once more if it was changed meanwhile. Nothing is recorded when it stays as it is, or was
 * already revised for this event.
 * @throws ConflictError when it was changed meanwhile at every attempt
 */
export async function reviseOpinion(
  deps: ReviseDeps,
  revision: Revision,
  context: EventContext,
  signal: AbortSignal,
): Promise<void> {
  const { event, opinion } = revision;
  const subject = memorySubjects.unit(event.data, opinion.unitId);
  const weigh = (current: CurrentOpinion) => weighed(deps, revision, current, signal);
  const command = { type: 'WeighOpinion', because: event.id, weigh } as const;
  await execute(deps.store, opinionDecider, subject, command, context, { signal });
}

async function weighed(
  { models, clock }: ReviseDeps,
  revision: Revision,
  current: CurrentOpinion,
  signal: AbortSignal,
) {
  const { event, opinion, facts, agent } = revision;
  const { eventDate, unitId } = opinion;
  const { text = opinion.text, confidence = opinion.confidence ?? confidenceWhenTold } = current;
  const input = {
    opinion: { text, confidence },
    formedAt: eventDate,
    factsUntil: current.factsUntil ?? null,
    facts: facts.map((fact) => ({ text: fact.text, eventDate: fact.eventDate })),
    agent,
    now: clock().toISOString(),
  };
  const answer = await models.opinions.revise(input, signal);
  const isSame = answer.text === text && answer.confidence === confidence;
  if (answer.verdict === 'keep' || isSame) return undefined;
  const isReworded = answer.text !== text;
  const [vector = null] = isReworded ? await embedAll(models.embeddings, [answer], { signal }) : [];
  return {
    space: event.data.space,
    agentId: event.data.agentId,
    unitId,
    eventDate,
    because: event.id,
    facts: { operationId: event.data.operationId, indexes: facts.map(({ index }) => index) },
    factsUntil: atMost(newestOf(facts.map((fact) => fact.eventDate)), event.time),
    former: models.opinions.name,
    promptVersion: models.opinions.promptVersion,
    embeddingModel: models.embeddings.name,
    ...answer,
    verdict: answer.verdict,
    vector,
    entities: answer.verdict === 'rewrite' ? [...answer.entities] : null,
  };
}
