import { agentKey, type FactType, type SearchResult, type ThinkFactReply } from '@mneme/contracts';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import { timestamp } from '../read-model/rows.ts';
import { embedQuestion } from '../search/question/question-vectors.ts';
import { endsWithQuestion } from '../search/scoring/unit-form.ts';
import { type SearchDeps, search } from '../search/search.ts';
import { eachWithinTokens } from '../search/search-result.ts';
import { cut, maxSentContext, shownMetadata } from '../units/shown-units.ts';
import { tokensOf } from '../units/text.ts';
import { rowFilter, type UnitFilters } from '../units/unit-filter.ts';

export interface Question extends UnitFilters {
  readonly space: string;
  readonly agentId: string;
  readonly query: string;
  /** The most units that are visited for each type. */
  readonly thinkingBudget: number;
}

/** A fact on which an answer may be based. */
export interface RememberedFact {
  /** As it is shown to the caller. */
  readonly fact: ThinkFactReply;
  /** How well it matches the question, 0 to 1; undefined when it was not found by a search. */
  readonly score: number | undefined;
  readonly relevance: SearchResult['relevance'];
}

/** What an answer may be based on, best first. */
export type Remembered = Readonly<Record<FactType, readonly RememberedFact[]>>;

/** How much of each type an answer may be based on, in tokens of cl100k. */
const tokensByType: Readonly<Record<FactType, number>> = { world: 4_096, agent: 2_048, opinion: 1_024 };
/** The least experiences on which the answer to a question about the agent itself is based, whatever their words. */
const fewExperiences = 5;
const asksAboutSelf = /\b(?:you|your|yours|yourself)\b/i;

/**
 * Finds what is relevant to a question. Each type is searched separately, so that many facts of one leave room for the
 * others; the question is embedded once. If somebody has asked the same, what was answered may be of another type: a user
 * answers an assistant.
 * @param now ISO 8601; "yesterday" in the question is the day before
 */
export async function remember(
  deps: SearchDeps & ReadableRows,
  question: Question,
  now: string,
  signal: AbortSignal,
): Promise<Remembered> {
  const embedded = embedQuestion(deps.embeddings, question.query, { signal, slot: deps.slot });
  // One very long fact must not hide all others.
  const searching = { ...deps, embedded, within: eachWithinTokens };
  const ofTypes = async (...factTypes: FactType[]) => {
    const settings = { reranker: 'heuristic', trace: false, questionDate: now } as const;
    const maxTokens = factTypes.reduce((sum, type) => sum + tokensByType[type], 0);
    const { results } = await search(searching, { ...question, factTypes, maxTokens, ...settings });
    return results.map(toRemembered);
  };
  const [world, agent, opinion] = await Promise.all([ofTypes('world'), ofTypes('agent'), ofTypes('opinion')]);
  const isAsked = [...world, ...agent].some(
    ({ fact, relevance }) => relevance === 'high' && endsWithQuestion(fact.text),
  );
  const answers = isAsked ? await ofTypes('world', 'agent') : [];
  return {
    world: withAnswers(world, answers, 'world'),
    agent: await withExperiences(deps, question, withAnswers(agent, answers, 'agent')),
    opinion,
  };
}

/** Adds what was found only beside facts of the other type. */
function withAnswers(
  found: readonly RememberedFact[],
  answers: readonly RememberedFact[],
  type: FactType,
): readonly RememberedFact[] {
  const known = new Set(found.map(({ fact }) => fact.id));
  const added = answers.filter(
    ({ fact, relevance }) => fact.type === type && relevance === 'high' && !known.has(fact.id),
  );
  if (added.length === 0) return found;
  const all = [...found, ...added].toSorted((left, right) => (right.score ?? 0) - (left.score ?? 0));
  return eachWithinTokens(
    all.map((each) => ({ ...each, tokens: tokensOf(each.fact.text) })),
    tokensByType[type],
  );
}

/** Adds the newest experiences that fit, because "What have you done?" has no word in common with them. */
async function withExperiences(
  { collections: { units }, removals }: ReadableRows,
  question: Question,
  found: readonly RememberedFact[],
): Promise<readonly RememberedFact[]> {
  if (found.length >= fewExperiences || !asksAboutSelf.test(question.query)) return found;
  const ofAgent = { agentKey: agentKey(question), factType: 'agent' as const };
  const filter = { ...ofAgent, ...rowFilter(question), ...notRemoved(removals) };
  const rows = await units
    .find(filter, { projection: { text: 1, tokens: 1, context: 1, eventDate: 1, metadata: 1 } })
    .sort({ eventDate: -1, _id: 1 })
    .limit(fewExperiences)
    .toArray();
  const known = new Set(found.map(({ fact }) => fact.id));
  const others = rows.filter(({ _id }) => !known.has(_id)).slice(0, fewExperiences - found.length);
  const used = found.reduce((sum, { fact }) => sum + tokensOf(fact.text), 0);
  const newest = eachWithinTokens(others, tokensByType.agent - used).map(
    ({ _id, text, context, eventDate, metadata }): RememberedFact => {
      const shown = { event_date: timestamp(eventDate), ...shownMetadata({ metadata }) };
      const sent = context === null ? null : cut(context, maxSentContext);
      const fact = { id: _id, text, type: 'agent', activation: null, context: sent, ...shown } as const;
      return { fact, score: undefined, relevance: undefined };
    },
  );
  return [...found, ...newest];
}

function toRemembered({
  id,
  text,
  type,
  activation,
  context,
  event_date,
  metadata,
  score,
  relevance,
}: SearchResult): RememberedFact {
  const fact = { id, text, type, activation, context, event_date, ...(metadata && { metadata }) };
  return { fact, score, relevance };
}
