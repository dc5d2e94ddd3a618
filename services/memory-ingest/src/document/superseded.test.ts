import { randomUUID } from 'node:crypto';
import type { MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { expect, it } from 'vitest';
import { isSuperseded } from './superseded.ts';

const never = new AbortController().signal;
const head = 20;

function ask(answer: () => Promise<unknown>, documentId: string | null = 'doc'): Promise<boolean> {
  const data = { space: '1', agentId: 'ana', operationId: randomUUID(), documentId };
  const event = { type: 'FactsExtracted', data, correlationId: 'test' } as Recorded<MemoryEventOf<'FactsExtracted'>>;
  const client = { request: answer } as unknown as Client;
  return isSuperseded({ client, store: { head: async () => head } }, event, never);
}

it('facts are superseded by what the read model knows and the log has', async () => {
  expect(await ask(async () => ({ by: head }))).toBe(true);
  expect(await ask(async () => ({ by: null }))).toBe(false);
});

it('facts are not superseded by what is not in the log, which may be an older one that was restored', async () => {
  expect(await ask(async () => ({ by: head + 1 }))).toBe(false);
});

it('facts count as present while the read model cannot be asked', async () => {
  expect(await ask(() => Promise.reject(new Error('away')))).toBe(false);
});

it('nothing is asked about facts without a document', async () => {
  expect(await ask(() => Promise.reject(new Error('asked')), null)).toBe(false);
});
