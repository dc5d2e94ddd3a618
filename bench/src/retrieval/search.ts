import { z } from 'zod';
import type { HttpClient } from '../system/http-client.ts';
import type { ScoredRanking } from './baselines.ts';
import { type History, questionDay } from './history.ts';

const replySchema = z.object({
  results: z.array(
    z.object({
      context: z.string().nullable(),
      score: z.number().nullish(),
      relevance: z.string().nullish(),
    }),
  ),
});

/** Further fields of the body of every search. */
export type RequestFields = Readonly<Record<string, unknown>>;

/** How the questions of a history are asked. */
export interface Asking {
  readonly client: HttpClient;
  readonly agentOf: (history: History) => string;
  readonly fields: RequestFields;
}

export interface Found extends ScoredRanking {
  readonly results: number;
  /** Those that are not marked `relevance: "low"`. */
  readonly relevantResults: number;
  readonly milliseconds: number;
}

/** Asks a question on the day after the last session. A turn has the rank and the score of its first result. */
export async function search(asking: Asking, history: History, question: string): Promise<Found> {
  const { client, agentOf, fields } = asking;
  const body = { agent_id: agentOf(history), query: question, question_date: questionDay(history), ...fields };
  const startedAt = performance.now();
  const reply = await client.post('/api/search', body);
  const milliseconds = performance.now() - startedAt;
  const { results } = replySchema.parse(reply);
  const scores = new Map<string, number>();
  for (const { context, score } of results) {
    if (context !== null && !scores.has(context)) scores.set(context, score ?? 0);
  }
  return {
    turns: [...scores.keys()],
    scores: [...scores.values()],
    turnsInBudget: scores.size,
    results: results.length,
    relevantResults: results.filter(({ relevance }) => relevance !== 'low').length,
    milliseconds,
  };
}
