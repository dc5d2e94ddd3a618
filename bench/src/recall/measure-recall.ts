import { z } from 'zod';
import type { HttpClient } from '../system/http-client.ts';
import { type Conversation, questionDay, turnContent } from './conversation.ts';
import type { Finding } from './scores.ts';

/** The token budget of a reply: the default of the call, said here because the table names it. */
export const tokenBudget = 4_096;

const replySchema = z.object({ results: z.array(z.object({ context: z.string().nullable() })) });

export interface RecallRun {
  readonly findings: readonly Finding[];
  readonly turns: number;
  readonly storeSeconds: number;
  readonly searchSeconds: number;
}

/** Stores the conversations, one agent each, then asks all their questions, one after the other. */
export async function measureRecall(client: HttpClient, conversations: readonly Conversation[]): Promise<RecallRun> {
  // Agents of their own for every run, so that a system that holds an earlier run can be asked again.
  const run = Date.now().toString(36);
  const agentOf = ({ conversation }: Conversation) => `locomo-${run}-${conversation}`;
  const startedAt = performance.now();
  for (const each of conversations) await storeConversation(client, agentOf(each), each);
  const storedAt = performance.now();
  const findings: Finding[] = [];
  for (const each of conversations) findings.push(...(await ask(client, agentOf(each), each)));
  return {
    findings,
    turns: conversations.flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns)).length,
    storeSeconds: (storedAt - startedAt) / 1_000,
    searchSeconds: (performance.now() - storedAt) / 1_000,
  };
}

/** One document per session, one item per turn, in order. */
export async function storeConversation(
  client: HttpClient,
  agentId: string,
  { sessions }: Conversation,
): Promise<void> {
  for (const { session, date, turns } of sessions) {
    const items = turns.map((turn) => ({ content: turnContent(turn), event_date: date, context: turn.turn }));
    await client.post('/api/memories/batch', { agent_id: agentId, document_id: `session-${session}`, items });
  }
}

async function ask(client: HttpClient, agentId: string, conversation: Conversation): Promise<Finding[]> {
  const day = questionDay(conversation);
  const findings: Finding[] = [];
  for (const { question, category, evidence } of conversation.questions) {
    const search = { agent_id: agentId, query: question, question_date: day, max_tokens: tokenBudget };
    const { results } = replySchema.parse(await client.post('/api/search', search));
    const turns = new Set(results.flatMap(({ context }) => (context === null ? [] : [context])));
    findings.push({ category, evidence, turns: [...turns] });
  }
  return findings;
}
