import { appendFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { HttpClient } from '../system/http-client.ts';
import { baselineSearches } from './baselines.ts';
import { categoryOf, type History, questionDay } from './history.ts';
import { type Asked, halfOf } from './questions.ts';
import type { Asking } from './search.ts';

const unitSchema = z.object({ id: z.string(), text: z.string(), context: z.string().nullable(), date: z.string() });
const listSchema = z.object({ items: z.array(unitSchema), total: z.number() });
type Unit = z.output<typeof unitSchema>;
const pageSize = 1_000;

const scoredSchema = z.object({ id: z.string(), score: z.number() });
const replySchema = z.object({
  results: z.array(scoredSchema),
  trace: z.object({
    retrieval: z.record(z.string(), z.array(scoredSchema)),
    visits: z.array(scoredSchema),
    reranked: z.array(z.object({ id: z.string(), score: z.number(), parts: z.record(z.string(), z.number()) })),
    pruned: z.array(z.object({ id: z.string(), reason: z.string() })),
  }),
});
type Reply = z.output<typeof replySchema>;

/** A file of JSON lines with all that the ranking of each question had before it, to try other rankings offline. */
export interface Dump {
  ofSet(set: string, method: string, asked: readonly Asked[], asking: Asking): Promise<void>;
}

/**
 * Asks every question once more with a trace. For each history there is a line of its units, then one for each question.
 * @param file is overwritten
 */
export async function createDump(file: string): Promise<Dump> {
  await writeFile(file, '');
  const append = (line: unknown) => appendFile(file, `${JSON.stringify(line)}\n`);
  return {
    ofSet: async (set, method, asked, asking) => {
      for (const [history, own] of Map.groupBy(asked, (each) => each.history)) {
        const units = await unitsOf(asking.client, asking.agentOf(history));
        await append({ kind: 'units', set, method, history: history.conversation, units });
        const turns = new Map(units.map(({ id, context }) => [id, context]));
        const { BM25: bm25 } = baselineSearches(history);
        for (const each of own) {
          const reply = await searchWithTrace(asking, history, each.question.question);
          const { turns: found, scores } = bm25(each.question.question);
          const words = new Map(found.map((turn, index) => [turn, scores[index]]));
          await append({ kind: 'question', set, method, ...questionLine(each), ...candidates(reply, turns, words) });
        }
      }
    },
  };
}

async function unitsOf(client: HttpClient, agentId: string): Promise<Unit[]> {
  const units: Unit[] = [];
  for (;;) {
    const query = new URLSearchParams({
      agent_id: agentId,
      limit: String(pageSize),
      offset: String(units.length),
    });
    const { items, total } = listSchema.parse(await client.get(`/api/list?${query}`));
    units.push(...items);
    if (items.length === 0 || units.length >= total) return units;
  }
}

async function searchWithTrace({ client, agentOf, fields }: Asking, history: History, question: string) {
  const body = { agent_id: agentOf(history), query: question, question_date: questionDay(history), ...fields };
  return replySchema.parse(await client.post('/api/search', { ...body, trace: true }));
}

function questionLine({ history, question }: Asked) {
  return {
    history: history.conversation,
    question: question.question,
    category: categoryOf(question),
    half: halfOf({ history, question }),
    evidence: question.evidence,
  };
}

/** Every unit that the search saw, with what each of its steps said about it. */
function candidates({ results, trace }: Reply, turns: ReadonlyMap<string, string | null>, words: BaselineScores) {
  const { retrieval, visits, reranked, pruned } = trace;
  const lists = [results, visits, reranked, pruned, ...Object.values(retrieval)];
  const ids = [...new Set(lists.flatMap((list) => list.map(({ id }) => id)))];
  const retrieved = Object.entries(retrieval).map(([method, hits]) => [method, scoresById(hits)] as const);
  const [visitOf, rerankedOf, prunedOf] = [byId(visits), byId(reranked), byId(pruned)];
  const rankOf = new Map(results.map(({ id }, index) => [id, index + 1]));
  return {
    candidates: ids.map((id) => {
      const turn = turns.get(id) ?? null;
      return {
        id,
        turn,
        rank: rankOf.get(id),
        bm25_of_turn: turn === null ? undefined : words.get(turn),
        retrieval: Object.fromEntries(retrieved.map(([method, scores]) => [method, scores.get(id)])),
        activation: visitOf.get(id)?.score,
        score: rerankedOf.get(id)?.score,
        parts: rerankedOf.get(id)?.parts,
        pruned: prunedOf.get(id)?.reason,
      };
    }),
  };
}

type BaselineScores = ReadonlyMap<string, number | undefined>;

function byId<T extends { readonly id: string }>(list: readonly T[]): Map<string, T> {
  return new Map(list.map((each) => [each.id, each]));
}

function scoresById(hits: readonly { readonly id: string; readonly score: number }[]): Map<string, number> {
  return new Map(hits.map(({ id, score }) => [id, score]));
}
