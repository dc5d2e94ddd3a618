import type { HttpClient } from '../system/http-client.ts';
import { type History, turnContent } from './history.ts';

const concurrency = 2;

/**
 * Stores histories with synchronous batches: one agent per history, one document per session, one item per turn, whose
 * context is its id. Two histories are stored at a time, each in its order.
 */
export async function storeHistories(
  client: HttpClient,
  histories: readonly History[],
  agentOf: (history: History) => string,
): Promise<void> {
  const waiting = histories.values();
  const work = async () => {
    for (const history of waiting) await storeHistory(client, agentOf(history), history);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function storeHistory(client: HttpClient, agentId: string, { sessions }: History): Promise<void> {
  for (const { session, date, turns } of sessions) {
    const items = turns.map((turn) => ({ content: turnContent(turn), event_date: date, context: turn.turn }));
    await client.post('/api/memories/batch', { agent_id: agentId, document_id: `session-${session}`, items });
  }
}
