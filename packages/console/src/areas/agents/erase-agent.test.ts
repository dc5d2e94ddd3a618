import { afterEach, expect, test, vi } from 'vitest';
import { actAs } from '../../app/session/identity.ts';
import { eraseAgent } from './erase-agent.ts';

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
