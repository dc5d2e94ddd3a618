import { memoryStream, memorySubjects } from '@mneme/contracts';
import { scaled } from '@mneme/local-stack/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers as createHeaders, type MsgHdrs } from '@nats-io/nats-core';
import { afterAll, expect, it } from 'vitest';
import { submit, useTestLog } from '../testing/test-log.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { eventOwner } from './handler-options.ts';
import { isLargeBatch } from './when-batch-submitted.ts';

const log = useTestLog();
let service: TestService | undefined;

afterAll(() => service?.stop());

const submitTo = (space: string, text: string, agentId = 'alice') => submit(log, [text], { space, agentId });

async function isCompleted(subject: string): Promise<boolean> {
  return (await log.store.last(subject))?.type === 'FactsExtracted';
}

async function completedOf(space: string): Promise<number> {
  const filter = memorySubjects.operationsOf({ space, agentId: 'alice' });
  const { state } = await (await jetstreamManager(log.connection)).streams.info(memoryStream.name, {
    subjects_filter: filter,
  });
  return Object.values(state.subjects ?? {}).filter((events) => events > 1).length;
}

it('completes the batch of one space while many of another, which were submitted before it, wait', async () => {
  const text = 'Alice lives in Lisbon and works for Acme. '.repeat(50);
  const batches = scaled({ full: 500, short: 50 });
  for (let count = 0; count < batches; count += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => submitTo('busy', `${text} Day ${count + index}.`)));
  }
  service = await startTestService(log, { concurrency: 8 });
  const subject = await submitTo('quiet', 'Bob plays the cello.');
  await expect.poll(() => isCompleted(subject), { interval: 20 }).toBe(true);
  expect(await completedOf('busy')).toBeLessThan(batches / 2);
  await expect.poll(() => completedOf('busy'), { timeout: 60_000, interval: 100 }).toBe(batches);
});

it('completes a small batch of a space while ten large ones of it, which were submitted before, are read', async () => {
  await service?.stop();
  service = await startTestService(log, { concurrency: 8 });
  const text = 'Alice lives in Lisbon and works for Acme. '.repeat(20_000);
  const large = await Promise.all(
    Array.from({ length: 10 }, (_, index) => submitTo('shared', `${text}${index}`, `a${index}`)),
  );
  const subject = await submitTo('shared', 'Bob plays the cello.', 'quiet');
  await expect.poll(() => isCompleted(subject), { interval: 20 }).toBe(true);
  const completed = await Promise.all(large.map(isCompleted));
  expect(completed.filter(Boolean).length).toBeLessThan(5);
});

it('tells large batches by their size, in bytes or in parts', () => {
  const batch = (part: number, parts: number, text = '') =>
    isLargeBatch({ data: new TextEncoder().encode(JSON.stringify({ space: '7', part, parts, text })) });
  expect(batch(0, 1)).toBe(false);
  expect(batch(0, 1, 'x'.repeat(70_000))).toBe(true);
  expect([batch(0, 2, 'x'.repeat(70_000)), batch(1, 2)]).toEqual([false, true]);
  expect(isLargeBatch({ data: new TextEncoder().encode('{"operationId":"1","attempt":2}') })).toBe(true);
});

it('identifies the owner of an event by space and agent, or by the agent alone', () => {
  const subject = memorySubjects.operation({ space: '7', agentId: 'alice' }, 'o');
  const owner = (data: string, headers?: MsgHdrs) =>
    eventOwner({ subject, headers, data: new TextEncoder().encode(data) });
  const [space, agent] = owner('{"space":"7","agentId":"alice"}');
  expect([space, agent]).toEqual(['7', subject.split('.')[3]]);
  expect(owner('{"agentId":"alice","space":"7"}')).toEqual([agent, agent]);
  expect(owner('')).toEqual([agent, agent]);
  const headers = createHeaders();
  headers.set('ce-space', '7');
  expect(owner('', headers)).toEqual(['7', agent]);
});
