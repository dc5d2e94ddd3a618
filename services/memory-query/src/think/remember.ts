import { agentKey, type FactType, type SearchResult, type ThinkFactReply } from '@mneme/contracts';
import type { EmbeddingModel } from '@mneme/models';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import { timestamp } from '../read-model/rows.ts';
import { type SearchDeps, search } from '../search/search.ts';

export interface Question {
  readonly space: string;
  readonly agentId: string;
  readonly query: string;
  /** The most units that are visited for each type. */
  readonly thinkingBudget: number;
}

/** What an answer may be based on, best first. */
export type Remembered = Readonly<Record<FactType, readonly ThinkFactReply[]>>;

/** How much of each type an answer may be based on, in tokens of cl100k. */
const tokensByType: Readonly<Record<FactType, number>> = { world: 4_096, agent: 2_048, opinion: 1_024 };
/** A question about the agent itself is based on at least so many of its experiences, whatever their words. */
const fewExperiences = 5;
const asksAboutSelf = /\b(?:you|your|yours|yourself)\b/i;

/**
 * Finds what is relevant to a question. Each type is searched separately, so that many facts of one leave room for the
 * others; the question is embedded once.
 * @param now ISO 8601; "yesterday" in the question is the day before
 */
export async function remember(
  deps: SearchDeps & ReadableRows,
  question: Question,
  now: string,
  signal: AbortSignal,
): Promise<Remembered> {
  const searching = { ...deps, embeddings: embeddedOnce(deps.embeddings, question.query, signal) };
  const ofType = async (type: FactType) => {
    const settings = { reranker: 'heuristic', trace: false, questionDate: now } as const;
    const wanted = { ...question, factTypes: [type], maxTokens: tokensByType[type], ...settings };
    return (await search(searching, wanted)).results.map(toThinkFact);
  };
  const [world, found, opinion] = await Promise.all([ofType('world'), ofType('agent'), ofType('opinion')]);
  return { world, agent: await withExperiences(deps, question, found), opinion };
}

function embeddedOnce(embeddings: EmbeddingModel, query: string, signal: AbortSignal): EmbeddingModel {
  const embedded = embeddings.embed([query], signal);
  // Every search awaits it; if one fails earlier for another reason, the rejection must not stay unhandled.
  embedded.catch(() => undefined);
  return { name: embeddings.name, dimensions: embeddings.dimensions, embed: () => embedded };
}

/** Adds the newest experiences, because "What have you done?" has no word in common with them. */
async function withExperiences(
  { collections: { units }, removals }: ReadableRows,
  question: Question,
  found: readonly ThinkFactReply[],
): Promise<readonly ThinkFactReply[]> {
  if (found.length >= fewExperiences || !asksAboutSelf.test(question.query)) return found;
  const filter = { agentKey: agentKey(question), factType: 'agent' as const, ...notRemoved(removals) };
  const rows = await units
    .find(filter, { projection: { text: 1, context: 1, eventDate: 1 } })
    .sort({ eventDate: -1, _id: 1 })
    .limit(fewExperiences)
    .toArray();
  const known = new Set(found.map(({ id }) => id));
  const newest = rows
    .filter(({ _id }) => !known.has(_id))
    .map(({ _id, text, context, eventDate }): ThinkFactReply => {
      return { id: _id, text, type: 'agent', activation: null, context, event_date: timestamp(eventDate) };
    });
  return [...found, ...newest].slice(0, fewExperiences);
}

/** The fields of a search result that are shown for a fact on which an answer is based. */
function toThinkFact({ id, text, type, activation, context, event_date }: SearchResult): ThinkFactReply {
  return { id, text, type, activation, context, event_date };
}
