import { focusManager, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '../query-client.ts';
import { browserSessionQuery } from './session.ts';

vi.hoisted(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1' }));

test('a failed look at whom the browser acts for does not wait for the focus, which the page has given up', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
  focusManager.setFocused(false);
  const observer = new QueryObserver(queryClient, browserSessionQuery);
  const stop = observer.subscribe(() => undefined);
  onTestFinished(() => {
    stop();
    focusManager.setFocused(undefined);
    vi.unstubAllGlobals();
  });
  await expect.poll(() => observer.getCurrentResult().fetchStatus).not.toBe('fetching');
  expect(observer.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' });
});
