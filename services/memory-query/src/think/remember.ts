import { agentKey, type FactType, type SearchResult, type ThinkFactReply } from '@mneme/contracts';
import type { EmbeddingModel } from '@mneme/models';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import { timestamp } from '../read-model/timestamp.ts';
import { type SearchDeps, search } from '../search/search.ts';

export interface Question {
  readonly space: string;
  readonly agentId: string;
  readonly query: string;
  /** The most units that are looked at, for each type. */
  readonly thinkingBudget: number;
}

/** What an answer may rest on, the best first. */
export type Remembered = Readonly<Record<FactType, readonly ThinkFactReply[]>>;

/** How much of each type an answer may rest on, in tokens of cl100k. */
const tokensByType: Readonly<Record<FactType, number>> = { world: 4_096, agent: 2_048, opinion: 1_024 };
/** A question about the agent itself is answered from at least so many of its experiences, whatever their words. */
const fewExperiences = 5;
const asksAboutSelf = /\b(?:you|your|yours|yourself)\b/i;

/**
 * Finds what bears on a question. Each type is searched on its own, so that many facts of one leave room for the others;
 * the question is embedded once.
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
  // Awaited by every search; one that fails earlier for another reason is not to leave a rejection unhandled.
  embedded.catch(() => undefined);
  return { name: embeddings.name, dimensions: embeddings.dimensions, embed: () => embedded };
}

/** "What have you done?" shares no word with what was done. */
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
  const youngest = rows
    .filter(({ _id }) => !known.has(_id))
    .map(({ _id, text, context, eventDate }): ThinkFactReply => {
      return { id: _id, text, type: 'agent', activation: null, context, event_date: timestamp(eventDate) };
    });
  return [...found, ...youngest].slice(0, fewExperiences);
}

/** As much of a search result as is told about a fact that an answer rests on. */
function toThinkFact({ id, text, type, activation, context, event_date }: SearchResult): ThinkFactReply {
  return { id, text, type, activation, context, event_date };
}
