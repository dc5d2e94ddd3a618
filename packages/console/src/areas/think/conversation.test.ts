import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { ask } from './conversation.ts';

vi.hoisted(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1' }));

test('an answer, which may form an opinion, has everything that shows memories read again', async () => {
  onTestFinished(() => {
    queryClient.clear();
    vi.unstubAllGlobals();
  });
  vi.stubGlobal('fetch', async () => Response.json({ text: 'Yes.', based_on: [], new_opinions: [] }));
  const areas = ['search', 'graph', 'think', 'keys'];
  for (const area of areas) queryClient.setQueryData([area], 'read before');
  await ask('ana', 'Do you like boats?', { store: true, withConversation: false, thinkingBudget: 50 });
  const outdated = areas.filter((area) => queryClient.getQueryState([area])?.isInvalidated);
  expect(outdated).toEqual(['search', 'graph', 'think']);
});
