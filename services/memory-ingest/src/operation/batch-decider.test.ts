import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { expect, it, vi } from 'vitest';
import { batchDecider } from './batch-decider.ts';

const ref = { space: 'public', agentId: 'alice', operationId: '018f0000-0000-7000-8000-000000000001' };
const submitted: MemoryEvent = {
  type: 'BatchSubmitted',
  data: { ...ref, part: 0, parts: 1, documentId: null, itemsCount: 0, items: [] },
};
const cancelled: MemoryEvent = { type: 'OperationCancelled', data: ref };
const started: MemoryEvent = { type: 'OperationStarted', data: { ...ref, attempt: 1 } };
const extracted: MemoryEventOf<'FactsExtracted'> = {
  type: 'FactsExtracted',
  data: {
    ...ref,
    ...{
      extractor: 'test',
      embeddingModel: 'test',
      documentId: null,
      part: 0,
      parts: 1,
      firstFact: 0,
      facts: [],
      contexts: {},
    },
  },
};
const control = { revision: 1, attempt: 1, signal: new AbortController().signal };

async function process(history: readonly MemoryEvent[], events: readonly (typeof extracted)[] | undefined) {
  const complete = vi.fn(async () => events);
  const state = history.reduce(batchDecider.evolve, batchDecider.initialState);
  return { events: await batchDecider.decide({ type: 'ProcessBatch', complete }, state, control), complete };
}

it('completes a batch by its facts', async () => {
  expect((await process([submitted], [extracted])).events).toEqual([extracted]);
  expect((await process([submitted, started], [extracted])).events).toEqual([extracted]);
});

it('lets others see a batch whose facts are not there yet', async () => {
  expect((await process([submitted], undefined)).events).toEqual([started]);
});

it.each([
  ['was never submitted', []],
  ['is cancelled', [submitted, cancelled]],
  ['is completed', [submitted, extracted]],
])('asks no model for a batch that %s', async (_, history) => {
  const { events, complete } = await process(history, [extracted]);
  expect(events).toEqual([]);
  expect(complete).not.toHaveBeenCalled();
});
