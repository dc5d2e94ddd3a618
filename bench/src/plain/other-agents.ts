import type { HttpClient } from '../system/http-client.ts';
import { sentences } from '../timing/sentences.ts';

const generatedSentences = 3_000;
const batchSize = 500;
const seed = 20_260_102;

/** Stores another agent's generated sentences, with which any question about people and places shares words. */
export async function storeTalkativeAgent(client: HttpClient): Promise<void> {
  const agentId = `others-${Date.now().toString(36)}`;
  const texts = sentences(seed);
  for (let stored = 0; stored < generatedSentences; stored += batchSize) {
    const items = Array.from({ length: batchSize }, () => ({ content: texts.next().value }));
    await client.post('/api/memories/batch', { agent_id: agentId, items });
  }
}
