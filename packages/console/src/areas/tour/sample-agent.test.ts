import { afterEach, expect, test, vi } from 'vitest';
import { actAs } from '../../app/session/identity.ts';
import { storeSampleAgent } from './sample-agent.ts';

vi.hoisted(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1' }));
afterEach(() => void vi.unstubAllGlobals());

const requests = 5;

test.each([1, 2, 3, 4])('the sample agent is not stored for another caller after request %s', async (last) => {
  actAs('user:7');
  const callers: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Headers }) => {
    callers.push(headers.get('mneme-console'));
    if (callers.length === last) actAs('user:8');
    return Response.json({});
  });
  await expect(storeSampleAgent(() => undefined)).rejects.toThrow('another caller');
  expect(callers).toEqual(Array.from({ length: last }, () => 'user:7'));
});

test('the sample agent is stored for a caller who stays', async () => {
  actAs('user:7');
  const send = vi.fn(async () => Response.json({}));
  vi.stubGlobal('fetch', send);
  await storeSampleAgent(() => undefined);
  expect(send).toHaveBeenCalledTimes(requests);
});
