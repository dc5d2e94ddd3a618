import { agentKey, type FactType, type SearchResult } from '@mneme/contracts';
import type { EmbeddingModel, HeldOpinion, Thinker, ThinkFact } from '@mneme/models';
import { characterOf } from '../agents/character.ts';
import { type SearchDeps, search } from '../search/search.ts';
import { type Thought, toThinkFact } from './thought.ts';

export interface ThinkDeps extends SearchDeps {
  readonly thinker: Thinker;
  readonly clock: () => Date;
}

export interface Think {
  readonly space: string;
  readonly agentId: string;
  readonly query: string;
  /** What the caller adds to the question. */
  readonly context: string | null;
  /** The most units that are looked at, for each type. */
  readonly thinkingBudget: number;
}

/** How much of each type an answer may rest on, in tokens of cl100k. */
const tokensByType: Readonly<Record<FactType, number>> = { world: 4_096, agent: 2_048, opinion: 1_024 };

/**
 * Answers a question as the agent: from what it did, what it knows of the world and what it believes. Changes nothing.
 * @throws ModelError when the model gives no answer
 */
export async function think(deps: ThinkDeps, request: Think, signal: AbortSignal): Promise<Thought> {
  const now = deps.clock().toISOString();
  const [agent, remembered] = await Promise.all([
    characterOf(deps.collections, agentKey(request)),
    remember(deps, request, now, signal),
  ]);
  const { world, agent: own, opinion } = remembered;
  const opinions = await withConfidence(deps, opinion);
  const text = await deps.thinker.think(
    {
      query: request.query,
      context: request.context,
      agent,
      worldFacts: world.map(asFact),
      agentFacts: own.map(asFact),
      opinions,
      now,
    },
    signal,
  );
  const basedOn = [...world, ...own, ...opinion].map(toThinkFact);
  return { text, basedOn, agent, thinker: deps.thinker.name, promptVersion: deps.thinker.promptVersion };
}

/** Each type is searched on its own, so that many facts of one leave room for the others. The question is embedded once. */
async function remember(
  deps: ThinkDeps,
  request: Think,
  questionDate: string,
  signal: AbortSignal,
): Promise<Record<FactType, readonly SearchResult[]>> {
  const { space, agentId, query, thinkingBudget } = request;
  const embeddings = embeddedOnce(deps.embeddings, query, signal);
  const ofType = async (type: FactType) => {
    const filter = { factTypes: [type], maxTokens: tokensByType[type] };
    const settings = { reranker: 'heuristic', trace: false, questionDate } as const;
    const wanted = { space, agentId, query, thinkingBudget, ...filter, ...settings };
    return (await search({ ...deps, embeddings }, wanted)).results;
  };
  const [world, agent, opinion] = await Promise.all([ofType('world'), ofType('agent'), ofType('opinion')]);
  return { world, agent, opinion };
}

function embeddedOnce(embeddings: EmbeddingModel, query: string, signal: AbortSignal): EmbeddingModel {
  const embedded = embeddings.embed([query], signal);
  // Awaited by every search; one that fails earlier for another reason is not to leave a rejection unhandled.
  embedded.catch(() => undefined);
  return { name: embeddings.name, dimensions: embeddings.dimensions, embed: () => embedded };
}

async function withConfidence({ collections }: ThinkDeps, opinions: readonly SearchResult[]): Promise<HeldOpinion[]> {
  if (opinions.length === 0) return [];
  const ids = opinions.map(({ id }) => id);
  const rows = await collections.units.find({ _id: { $in: ids } }, { projection: { confidence: 1 } }).toArray();
  const confidences = new Map(rows.map(({ _id, confidence }) => [_id, confidence]));
  return opinions.map((opinion) => ({ ...asFact(opinion), confidence: confidences.get(opinion.id) ?? null }));
}

function asFact({ text, event_date }: SearchResult): ThinkFact {
  return { text, eventDate: event_date };
}
