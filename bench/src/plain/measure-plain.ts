import { z } from 'zod';
import { type Half, halfOfText } from '../retrieval/questions.ts';
import type { RequestFields } from '../retrieval/search.ts';
import type { HttpClient } from '../system/http-client.ts';
import { storeTalkativeAgent } from './other-agents.ts';
import type { PlainQuestion, PlainSet } from './plain-set.ts';

const replySchema = z.object({
  results: z.array(
    z.object({
      text: z.string(),
      document_id: z.string().nullish(),
      score: z.number().nullish(),
      relevance: z.string().nullish(),
    }),
  ),
});
export type PlainResult = z.output<typeof replySchema>['results'][number];

/** The questions are asked on this day, after the last document. */
const questionDate = '2025-12-01T12:00:00Z';

/** What a search found for a question. */
export interface PlainFinding {
  readonly question: PlainQuestion;
  /** The place of the first result that holds the evidence, from 1; undefined when none does. */
  readonly rank: number | undefined;
  /** Whether the first result is of the right document. */
  readonly isRightDocument: boolean;
  readonly results: readonly PlainResult[];
}

export interface PlainRun {
  readonly findings: readonly PlainFinding[];
  /** How many results off-topic questions got, while the agent was alone and beside another one. */
  readonly junk: readonly JunkCount[];
  readonly sharedJunk: readonly JunkCount[];
}

export interface JunkCount {
  readonly question: string;
  readonly results: number;
  readonly relevantResults: number;
}

/** What is asked, and how. */
export interface PlainAsking {
  readonly half: Half | undefined;
  readonly fields: RequestFields;
}

/**
 * Stores each document as one item, all for one agent, then asks the questions one after the other; the off-topic ones
 * once more beside another agent.
 */
export async function measurePlain(client: HttpClient, set: PlainSet, asking: PlainAsking): Promise<PlainRun> {
  // An agent of its own for every run, so that a system that holds an earlier run can be asked again.
  const agentId = `plain-${Date.now().toString(36)}`;
  for (const { id, date, text } of set.documents) {
    const items = [{ content: text, event_date: date }];
    await client.post('/api/memories/batch', { agent_id: agentId, document_id: id, items });
  }
  const ask = async (query: string) => {
    const body = { agent_id: agentId, query, question_date: questionDate, ...asking.fields };
    return replySchema.parse(await client.post('/api/search', body)).results;
  };
  const isAsked = (question: string) => asking.half === undefined || halfOfText('plain', question) === asking.half;
  const findings: PlainFinding[] = [];
  for (const question of set.questions.filter((each) => isAsked(each.question))) {
    findings.push(findingOf(question, await ask(question.question)));
  }
  const askOffTopic = async () => {
    const junk: JunkCount[] = [];
    for (const question of set.unanswerable) {
      const results = await ask(question);
      const relevantResults = results.filter(({ relevance }) => relevance !== 'low').length;
      junk.push({ question, results: results.length, relevantResults });
    }
    return junk;
  };
  const junk = await askOffTopic();
  await storeTalkativeAgent(client);
  return { findings, junk, sharedJunk: await askOffTopic() };
}

function findingOf(question: PlainQuestion, results: readonly PlainResult[]): PlainFinding {
  const key = comparable(question.key);
  const index = results.findIndex(({ text }) => comparable(text).includes(key));
  return {
    question,
    rank: index === -1 ? undefined : index + 1,
    isRightDocument: results[0]?.document_id === question.document,
    results,
  };
}

/** Line breaks and letter case may change on the way. */
function comparable(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
