import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../app/query-client.ts';
import { actAs } from '../../app/session/identity.ts';
import { eraseAgent, forgetAgent } from './erase-agent.ts';

vi.hoisted(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1' }));
afterEach(() => void vi.unstubAllGlobals());

/** A server whose first answer is that the erasure takes longer. @returns for whom requests were made */
function slowServer(meanwhile: () => void) {
  const callers: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Headers }) => {
    callers.push(headers.get('mneme-console'));
    if (callers.length > 1) return Response.json({});
    meanwhile();
    return new Response('', { status: 504, headers: { 'retry-after': '0' } });
  });
  return callers;
}

test('an erasure that takes longer than a request is continued', async () => {
  actAs('user:7');
  const callers = slowServer(() => undefined);
  await eraseAgent('zoe');
  expect(callers).toEqual(['user:7', 'user:7']);
});

test('an erasure is not continued for another caller', async () => {
  actAs('user:7');
  const callers = slowServer(() => actAs('user:8'));
  await expect(eraseAgent('zoe')).rejects.toThrow('another caller');
  expect(callers).toEqual(['user:7']);
});

test('what was read and said of an erased agent is forgotten, and everything else is read again', async () => {
  const said = ['conversation', 'zoe'];
  const ofUnits = [
    ['units', 'one', 'u1'],
    ['graph', 'zoe', {}],
  ];
  const ofKeys = ['keys', 7];
  queryClient.setQueryData(said, { exchanges: [{ id: '1', question: 'Do you like boats?' }] });
  for (const key of [...ofUnits, ofKeys]) queryClient.setQueryData(key, 'read before');
  await forgetAgent('zoe');
  expect(queryClient.getQueryData(said)).toMatchObject({ exchanges: [] });
  expect(ofUnits.map((key) => queryClient.getQueryData(key))).toEqual([undefined, undefined]);
  expect(queryClient.getQueryState(ofKeys)).toMatchObject({ data: 'read before', isInvalidated: true });
  queryClient.clear();
});
