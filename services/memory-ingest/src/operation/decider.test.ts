import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { describe, expect, it, vi } from 'vitest';
import { batchDecider, operationDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', operationId: '018f0000-0000-7000-8000-000000000001' };
const item = { content: 'Tea is ready', eventDate: null, context: null };

const submitted: MemoryEvent = {
  type: 'BatchSubmitted',
  data: { ...ref, part: 0, parts: 1, documentId: null, itemsCount: 1, items: [item] },
};
const started: MemoryEvent = { type: 'OperationStarted', data: { ...ref, attempt: 1 } };
const failed: MemoryEvent = { type: 'OperationFailed', data: { ...ref, message: 'no model', attempts: 5 } };
const cancelled: MemoryEvent = { type: 'OperationCancelled', data: ref };
const dismissed: MemoryEvent = { type: 'OperationDismissed', data: ref };
const retried: MemoryEvent = { type: 'OperationRetried', data: ref };

function extracted(part: number, parts: number): MemoryEventOf<'FactsExtracted'> {
  const models = { extractor: 'rules', embeddingModel: 'hash' };
  return {
    type: 'FactsExtracted',
    data: { ...ref, ...models, documentId: null, part, parts, firstFact: 0, facts: [], contexts: {} },
  };
}

const cancel = { type: 'CancelOperation', operationId: ref.operationId, space: 'public' } as const;
const retry = { type: 'RetryOperation', operationId: ref.operationId, space: 'public' } as const;

const given = (...events: readonly MemoryEvent[]) => specify(operationDecider).given(events);
const stateAfter = (...events: readonly MemoryEvent[]) =>
  events.reduce(operationDecider.evolve, operationDecider.initialState);

/** @param facts undefined when they take long */
function process(history: readonly MemoryEvent[], facts?: readonly MemoryEventOf<'FactsExtracted'>[]) {
  const complete = vi.fn(async () => facts);
  return { complete, outcome: specify(batchDecider).given(history).when({ type: 'ProcessBatch', complete }) };
}

describe('processing a batch', () => {
  it('completes it with its facts', async () => {
    await process([submitted], [extracted(0, 1)]).outcome.then([extracted(0, 1)]);
    await process([submitted, started], [extracted(0, 1)]).outcome.then([extracted(0, 1)]);
  });

  it('shows a batch as processing when its facts take long, and counts the attempt', async () => {
    await process([submitted]).outcome.then([started]);
    const again: MemoryEvent = { type: 'OperationStarted', data: { ...ref, attempt: 2 } };
    await process([submitted, started]).outcome.then([again]);
  });

  it('completes the operation with the last part only', () => {
    expect(stateAfter(submitted, started, extracted(0, 2)).status).toBe('processing');
    expect(stateAfter(submitted, started, extracted(0, 2), extracted(1, 2)).status).toBe('completed');
  });

  it.each([
    ['was never submitted', []],
    ['is cancelled', [submitted, cancelled]],
    ['is cancelled while it is being processed', [submitted, started, cancelled]],
    ['is completed', [submitted, extracted(0, 1)]],
    ['has failed', [submitted, failed]],
  ])('stores nothing and calls no model when it %s', async (_, history) => {
    const { complete, outcome } = process(history, [extracted(0, 1)]);
    await outcome.then([]);
    expect(complete).not.toHaveBeenCalled();
  });
});

describe('cancelling', () => {
  it.each([
    ['waits', [submitted]],
    ['is being processed', [submitted, started]],
  ])('ends an operation that %s', (_, history) => {
    given(...history)
      .when(cancel)
      .then([cancelled]);
  });

  it('dismisses a failed operation', () => {
    given(submitted, started, failed).when(cancel).then([dismissed]);
  });

  it.each([
    ['unknown', []],
    ['completed', [submitted, started, extracted(0, 1)]],
    ['already cancelled', [submitted, cancelled]],
    ['already dismissed', [submitted, failed, dismissed]],
  ])('is refused for one that is %s', (_, history) => {
    given(...history)
      .when(cancel)
      .thenRefuses('operation-not-found');
  });

  it('is refused from another space with the same message as for an unknown one', () => {
    const message = new RegExp(`^Operation ${ref.operationId} not found$`);
    given(submitted)
      .when({ ...cancel, space: '7' })
      .thenRefuses(message);
    given().when(cancel).thenRefuses(message);
  });
});

it.each([
  [cancel, [submitted], cancelled],
  [retry, [submitted, failed], retried],
])(
  'accepts $type for the agent that the caller means, or may access alone, and refuses it for others',
  (command, history, event) => {
    given(...history)
      .when({ ...command, onlyAgent: 'alice' })
      .then([event]);
    given(...history)
      .when({ ...command, onlyAgent: 'bob' })
      .thenRefuses('agent-not-allowed');
    given(...history)
      .when({ ...command, agentId: 'alice' })
      .then([event]);
    given(...history)
      .when({ ...command, agentId: 'bob' })
      .thenRefuses('operation-not-found');
    // An operation of another space is unknown, whichever agent it belongs to.
    given(...history)
      .when({ ...command, space: '7', onlyAgent: 'bob' })
      .thenRefuses('operation-not-found');
  },
);

describe('retrying', () => {
  it('makes a failed operation pending and counts its attempts from 1 again', async () => {
    given(submitted, started, failed).when(retry).then([retried]);
    expect(stateAfter(submitted, started, failed, retried).status).toBe('pending');
    await process([submitted, started, failed, retried]).outcome.then([started]);
  });

  it.each([
    ['unknown', []],
    ['dismissed', [submitted, failed, dismissed]],
  ])('is refused as not found for one that is %s', (_, history) => {
    given(...history)
      .when(retry)
      .thenRefuses({ code: 'operation-not-found', message: `Operation ${ref.operationId} not found` });
  });

  it.each([
    ['waits', [submitted]],
    ['is being processed', [submitted, started]],
    ['is already retried', [submitted, failed, retried]],
    ['is completed', [submitted, extracted(0, 1)]],
    ['is cancelled', [submitted, cancelled]],
  ])('is refused for one that %s, with advice', (_, history) => {
    given(...history)
      .when(retry)
      .thenRefuses({ code: 'operation-not-failed', message: expect.stringMatching(/: (ask|submit) /) });
  });
});

describe('failing', () => {
  const fail = { type: 'FailOperation', message: 'The model refused' } as const;

  it('keeps the message and the number of attempts', () => {
    given(submitted, started)
      .when(fail)
      .then([{ type: 'OperationFailed', data: { ...ref, message: 'The model refused', attempts: 1 } }]);
  });

  it('does nothing to a completed operation', () => {
    given(submitted, extracted(0, 1)).when(fail).then([]);
  });
});

it('joins the parts of a large batch in order', () => {
  const part = (index: number, content: string): MemoryEvent => ({
    type: 'BatchSubmitted',
    data: { ...ref, part: index, parts: 2, documentId: 'd', itemsCount: 2, items: [{ ...item, content }] },
  });
  const { items } = stateAfter(part(0, 'first'), part(1, 'second'));
  expect(items.map(({ content }) => content)).toEqual(['first', 'second']);
});

it('rejects an event of another aggregate', () => {
  const foreign: MemoryEvent = { type: 'AgentCreated', data: { space: 'public', agentId: 'alice' } };
  expect(() => stateAfter(foreign)).toThrow('does not belong');
});
