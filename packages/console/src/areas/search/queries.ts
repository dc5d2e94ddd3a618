import type { RecallOptions } from '@mneme/client';
import { queryOptions } from '@tanstack/react-query';
import { startOfDay } from '../../app/address-fields.ts';
import { mneme } from '../../app/client.ts';
import type { Settings } from './search-address.ts';

/** A search with its trace. */
export function searchQuery(agentId: string, question: string, settings: Settings) {
  return queryOptions({
    queryKey: ['search', agentId, question, settings],
    queryFn: ({ signal }) =>
      mneme.agent(settings.agent ?? agentId).recall(question, { ...recallOptions(settings), signal }),
    // A question has the same answer until a memory changes.
    staleTime: 60_000,
  });
}

function recallOptions(settings: Settings): RecallOptions {
  const { types, since, until, asked, document, budget, tokens, limit, minScore, reranker } = settings;
  return {
    trace: true,
    types,
    since: startOfDay(since),
    until: startOfDay(until),
    questionDate: startOfDay(asked),
    documentId: document,
    thinkingBudget: budget,
    maxTokens: tokens,
    limit,
    minScore,
    reranker,
  };
}
