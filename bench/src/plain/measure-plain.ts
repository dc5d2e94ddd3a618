import { z } from 'zod';
import type { HttpClient } from '../system/http-client.ts';
import type { PlainQuestion, PlainSet } from './plain-set.ts';

const replySchema = z.object({ results: z.array(z.object({ text: z.string(), document_id: z.string().nullish() })) });
type Result = z.output<typeof replySchema>['results'][number];

/** The questions are asked on this day, after the last document. */
const questionDate = '2025-12-01T12:00:00Z';

/** What a search found for a question. */
export interface PlainFinding {
  readonly question: PlainQuestion;
  /** The place of the first result that holds the evidence, from 1; undefined when none does. */
  readonly rank: number | undefined;
  /** Whether the first result is of the right document. */
  readonly isRightDocument: boolean;
  readonly results: number;
}

/** How many results a question got that nothing answers. */
export interface Junk {
  readonly question: string;
  readonly results: number;
}

/** Other agents in the same system. */
export interface OtherAgents {
  /** Stores what they know, and tells who they are. */
  readonly store: (client: HttpClient) => Promise<readonly string[]>;
  /** Whether the questions that nothing answers are asked of them too. */
  readonly areAsked: boolean;
}

export interface PlainRun {
  readonly findings: readonly PlainFinding[];
  /** Of the agent of the documents, before and after others stored what they know. */
  readonly junk: readonly Junk[];
  readonly sharedJunk: readonly Junk[];
  /** Of the others. */
  readonly junkOfOthers: readonly Junk[];
}

/**
 * Stores each document as one item, all for one agent, then asks the questions one after the other; those that nothing
 * answers once more beside other agents.
 */
export async function measurePlain(client: HttpClient, set: PlainSet, others: OtherAgents): Promise<PlainRun> {
  // An agent of its own for every run, so that a system that holds an earlier run can be asked again.
  const agentId = `plain-${Date.now().toString(36)}`;
  for (const { id, date, text } of set.documents) {
    const items = [{ content: text, event_date: date }];
    await client.post('/api/memories/batch', { agent_id: agentId, document_id: id, items });
  }
  const findings: PlainFinding[] = [];
  for (const question of set.questions)
    findings.push(findingOf(question, await ask(client, agentId, question.question)));
  const junk = await askForNothing(client, [agentId], set);
  const otherAgents = await others.store(client);
  const sharedJunk = await askForNothing(client, [agentId], set);
  const junkOfOthers = await askForNothing(client, others.areAsked ? otherAgents : [], set);
  return { findings, junk, sharedJunk, junkOfOthers };
}

async function askForNothing(
  client: HttpClient,
  agentIds: readonly string[],
  { unanswerable }: PlainSet,
): Promise<Junk[]> {
  const junk: Junk[] = [];
  for (const agentId of agentIds) {
    for (const question of unanswerable) {
      junk.push({ question, results: (await ask(client, agentId, question)).length });
    }
  }
  return junk;
}

async function ask(client: HttpClient, agentId: string, query: string): Promise<Result[]> {
  const search = { agent_id: agentId, query, question_date: questionDate };
  return replySchema.parse(await client.post('/api/search', search)).results;
}

function findingOf(question: PlainQuestion, results: readonly Result[]): PlainFinding {
  const key = comparable(question.key);
  const index = results.findIndex(({ text }) => comparable(text).includes(key));
  return {
    question,
    rank: index === -1 ? undefined : index + 1,
    isRightDocument: results[0]?.document_id === question.document,
    results: results.length,
  };
}

/** Line breaks and letter case may change on the way. */
function comparable(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
