import type { SearchReply } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

// Of such memories, each one is about as similar to a question about them as any other.

const agent_id = 'expenses';
const things = ['groceries at Lidl', 'coffee at Nero', 'petrol', 'a train ticket', 'lunch with Sara', 'cinema tickets'];

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem({ EMBEDDING_MODEL: 'builtin:minilm' });
  http = await system.ownSpace();
  const items = Array.from({ length: 200 }, (_, index) => ({
    content: `Paid ${5 + ((index * 13) % 190)} euros for ${things[index % things.length]}.`,
  }));
  expect((await http.post('/api/memories/batch', { agent_id, items })).status).toBe(200);
  return system.release;
});

async function found(query: string): Promise<number> {
  return (await http.post<SearchReply>('/api/search', { agent_id, query })).body.results.length;
}

test.each(['What are my travel costs?', 'How much do I spend on food?', 'What did I pay for?'])(
  'a question about them finds some: %s',
  async (question) => {
    // The vectors follow.
    await eventually('it is found', async () => (await found(question)) >= 3);
  },
);

test.each(['How tall is Mount Everest?', 'Which books have I read?', 'Who painted the portrait?'])(
  'one about something else finds none: %s',
  async (question) => {
    expect(await found(question)).toBe(0);
  },
);
