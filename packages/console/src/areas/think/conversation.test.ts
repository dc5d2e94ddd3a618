import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { ask, askAgain, type Exchange } from './conversation.ts';

vi.hoisted(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1' }));

const answered = async () => Response.json({ text: 'Yes.', based_on: [], new_opinions: [] });

function serve(send: typeof fetch) {
  onTestFinished(() => {
    queryClient.clear();
    vi.unstubAllGlobals();
  });
  vi.stubGlobal('fetch', send);
}

test('an answer, which may form an opinion, has everything that shows memories read again', async () => {
  serve(answered);
  const areas = ['search', 'graph', 'think', 'keys'];
  for (const area of areas) queryClient.setQueryData([area], 'read before');
  await ask('ana', 'Do you like boats?', { store: true, withConversation: false, thinkingBudget: 50 });
  const outdated = areas.filter((area) => queryClient.getQueryState([area])?.isInvalidated);
  expect(outdated).toEqual(['search', 'graph', 'think']);
});

test('a question whose answer was lost is asked again as it was, under the same key', async () => {
  const sent: { readonly key: string | null; readonly body: unknown }[] = [];
  serve(async (_url, init) => {
    sent.push({ key: new Headers(init?.headers).get('idempotency-key'), body: JSON.parse(String(init?.body)) });
    if (sent.length === 1) throw new TypeError('The connection was reset');
    return answered();
  });
  const exchanges = () => queryClient.getQueryData<{ exchanges: Exchange[] }>(['conversation', 'ana'])?.exchanges ?? [];
  await ask('ana', 'Do you like boats?', { store: false, withConversation: true, thinkingBudget: 70 });
  const [lost] = exchanges();
  expect(lost).toMatchObject({ question: 'Do you like boats?', error: { code: 'NETWORK_ERROR' } });
  await ask('ana', 'And cars?', { store: false, withConversation: false, thinkingBudget: 70 });
  askAgain('ana', lost as Exchange);
  await expect.poll(() => exchanges()[1]?.answer?.text).toBe('Yes.');
  expect(sent[0]?.body).toMatchObject({ store: false, thinking_budget: 70 });
  expect(sent).toEqual([sent[0], sent[1], sent[0]]);
  expect(exchanges()).toHaveLength(2);
});
