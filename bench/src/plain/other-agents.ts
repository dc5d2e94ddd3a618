import type { Conversation } from '../recall/conversation.ts';
import { storeConversation } from '../recall/measure-recall.ts';
import { sentences } from '../timing/sentences.ts';
import type { OtherAgents } from './measure-plain.ts';

const generatedSentences = 3_000;
const batchSize = 500;
const seed = 20_260_102;

/** An agent that knows generated sentences, which any question about people and places shares words with. */
export const talkativeAgent: OtherAgents = {
  areAsked: false,
  store: async (client) => {
    const agentId = `others-${Date.now().toString(36)}`;
    const texts = sentences(seed);
    for (let stored = 0; stored < generatedSentences; stored += batchSize) {
      const items = Array.from({ length: batchSize }, () => ({ content: texts.next().value }));
      await client.post('/api/memories/batch', { agent_id: agentId, items });
    }
    return [agentId];
  },
};

/** An agent for each conversation. */
export function conversing(conversations: readonly Conversation[]): OtherAgents {
  return {
    areAsked: true,
    store: async (client) => {
      const run = Date.now().toString(36);
      const agentIds = conversations.map(({ conversation }) => `others-${run}-${conversation}`);
      for (const [index, agentId] of agentIds.entries()) {
        const conversation = conversations[index];
        if (conversation) await storeConversation(client, agentId, conversation);
      }
      return agentIds;
    },
  };
}
