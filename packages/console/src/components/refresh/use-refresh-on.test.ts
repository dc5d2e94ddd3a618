import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { readAgain } from './use-refresh-on.ts';

test('what changes while it is read for the first time is read again', async () => {
  const client = new QueryClient();
  const readings: ((value: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => readings.push(resolve));
  const observer = new QueryObserver(client, { queryKey: ['rows', 1], queryFn });
  onTestFinished(observer.subscribe(() => undefined));
  const done = readAgain(client, ['rows']);
  expect(readings).toHaveLength(1);
  readings[0]?.('before');
  await expect.poll(() => readings.length).toBe(2);
  expect(observer.getCurrentResult().data).toBe('before');
  readings[1]?.('after');
  await done;
  expect(observer.getCurrentResult().data).toBe('after');
});

test('what has been read is read again once', async () => {
  const client = new QueryClient();
  let readings = 0;
  const observer = new QueryObserver(client, { queryKey: ['rows', 1], queryFn: () => ++readings });
  onTestFinished(observer.subscribe(() => undefined));
  await expect.poll(() => readings).toBe(1);
  await readAgain(client, ['rows']);
  expect(readings).toBe(2);
});
