import { maxThinkingBudget, type SearchReply, type SearchResult, type SearchTrace } from '@mneme/contracts';
import { cut } from '../units/shown-units.ts';
import { tokensOf } from '../units/text.ts';
import { bestFirst } from '../vectors/vector-index.ts';
import type { Search } from './question/question.ts';
import { embedQuestion } from './question/question-vectors.ts';
import { type SearchDeps, search } from './search.ts';
import { maxContextOf, withinTokens } from './search-result.ts';

/**
 * Searches several agents with one question, each as if it were searched alone, and returns the best results of all with
 * their agents. Scores of different agents can be compared.
 * @param depsOf what is needed to search one agent
 */
export async function searchAgents(
  depsOf: (agentId: string) => Promise<SearchDeps>,
  request: Search,
  agentIds: readonly string[],
): Promise<SearchReply> {
  const agents = [...new Set(agentIds)];
  const all = await Promise.all(agents.map(depsOf));
  // While the embedding model is changed, agents may be answered from vectors of different models.
  const models = new Map(all.map((deps) => [deps.embeddings.name, deps]));
  const embedded = new Map(
    [...models].map(([name, deps]) => [name, embedQuestion(deps.embeddings, request.query, deps)]),
  );
  const thinkingBudget = Math.min(request.thinkingBudget, Math.floor(maxThinkingBudget / agents.length));
  const replies = await Promise.all(
    all.map((deps, index) => {
      // What fits is decided among the results of all.
      const own = { agentId: agents[index] ?? '', thinkingBudget, maxTokens: Number.POSITIVE_INFINITY };
      const wanted = { ...request, ...own };
      return search({ ...deps, embedded: embedded.get(deps.embeddings.name) }, wanted);
    }),
  );
  const found = replies.flatMap(({ results }, index) =>
    results.map((result) => ({ ...result, agent_id: agents[index] ?? '', tokens: tokensOf(result.text) })),
  );
  const inOrder = found.sort(bestFirst);
  const best = inOrder.slice(0, request.limit ?? request.thinkingBudget);
  const fitting = withinTokens(best, request.maxTokens);
  const notWanted = typeof request.limit === 'number' ? 'limit' : 'thinking_budget';
  const pruned = [
    ...best.slice(fitting.length).map(({ id }) => ({ id, reason: 'max_tokens' })),
    ...inOrder.slice(best.length).map(({ id }) => ({ id, reason: notWanted })),
  ];
  const maxContext = maxContextOf(fitting.length);
  const results = fitting.map(({ tokens: _, context, ...result }) => ({
    ...result,
    context: context === null ? null : cut(context, maxContext),
  }));
  return { results, trace: mergedTrace(replies, results, pruned) };
}

/**
 * The traces of all agents as one: lists one after another, and for each phase the time of the slowest agent.
 * @param pruned results of single agents that are none of the results of all
 */
function mergedTrace(
  replies: readonly SearchReply[],
  results: readonly SearchResult[],
  pruned: SearchTrace['pruned'],
): SearchTrace | null {
  const traces = replies.flatMap(({ trace }) => trace ?? []);
  const [first] = traces;
  if (!first) return null;
  const methods = new Set(traces.flatMap(({ retrieval }) => Object.keys(retrieval)));
  const joined = [...methods].map((method) => [method, traces.flatMap(({ retrieval }) => retrieval[method] ?? [])]);
  // What one agent could not have, the caller has to know.
  const { reranker } = traces.find((trace) => trace.reranker.reason !== null) ?? first;
  const slowest = (seconds: readonly number[]) => Math.max(0, ...seconds);
  const { picture: _, ...rest } = first;
  return {
    ...rest,
    reranker,
    num_results: results.length,
    time_seconds: slowest(traces.map(({ time_seconds }) => time_seconds)),
    retrieval: Object.fromEntries(joined),
    entry_points: traces.flatMap(({ entry_points }) => entry_points),
    visits: traces.flatMap(({ visits }) => visits),
    pruned: [...traces.flatMap((trace) => trace.pruned), ...pruned],
    reranked: traces.flatMap(({ reranked }) => reranked),
    phases: first.phases.map(({ name }) => {
      const ofPhase = traces.flatMap(({ phases }) => phases.filter((phase) => phase.name === name));
      return { name, duration_seconds: slowest(ofPhase.map((phase) => phase.duration_seconds)) };
    }),
  };
}
