import type { MemoryEvent } from '@mneme/contracts';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import { type OperationCommand, type OperationEvent, operationDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', operationId: '018f0000-0000-7000-8000-000000000001' };
const item = { content: 'Tea is ready', eventDate: null, context: null };

const submitted: OperationEvent = {
  type: 'BatchSubmitted',
  data: { ...ref, part: 0, parts: 1, documentId: null, itemsCount: 1, items: [item] },
};
const started: OperationEvent = { type: 'OperationStarted', data: { ...ref, attempt: 1 } };
const failed: OperationEvent = { type: 'OperationFailed', data: { ...ref, message: 'no model', attempts: 5 } };
const cancelled: OperationEvent = { type: 'OperationCancelled', data: ref };
const dismissed: OperationEvent = { type: 'OperationDismissed', data: ref };

const retried: OperationEvent = { type: 'OperationRetried', data: ref };

function extracted(part: number, parts: number): Extract<OperationEvent, { type: 'FactsExtracted' }> {
  const models = { extractor: 'rules', embeddingModel: 'hash' };
  return {
    type: 'FactsExtracted',
    data: { ...ref, ...models, documentId: null, part, parts, firstFact: 0, facts: [], contexts: {} },
  };
}

const cancel = { type: 'CancelOperation', operationId: ref.operationId, space: 'public' } as const;

function given(...history: readonly MemoryEvent[]) {
  const state = history.reduce(operationDecider.evolve, operationDecider.initialState);
  return { state, when: (command: OperationCommand) => operationDecider.decide(command, state) };
}

describe('starting', () => {
  it('counts the attempt', () => {
    expect(given(submitted).when({ type: 'StartOperation' })).toEqual([started]);
    expect(given(submitted, started).when({ type: 'StartOperation' })).toEqual([
      { type: 'OperationStarted', data: { ...ref, attempt: 2 } },
    ]);
  });

  it.each([
    ['was never submitted', []],
    ['is completed', [submitted, extracted(0, 1)]],
    ['is cancelled', [submitted, cancelled]],
    ['has failed', [submitted, failed]],
  ])('does nothing when it %s', (_, history) => {
    expect(given(...history).when({ type: 'StartOperation' })).toEqual([]);
  });
});

describe('recording facts', () => {
  it('completes the operation with the last part only', () => {
    expect(given(submitted, started, extracted(0, 2)).state.status).toBe('processing');
    expect(given(submitted, started, extracted(0, 2), extracted(1, 2)).state.status).toBe('completed');
  });

  it('stores nothing of a cancelled batch', () => {
    expect(given(submitted, started, cancelled).when({ type: 'RecordFacts', events: [extracted(0, 1)] })).toEqual([]);
  });
});

describe('cancelling', () => {
  it.each([
    ['waits', [submitted]],
    ['is worked on', [submitted, started]],
  ])('ends an operation that %s', (_, history) => {
    expect(given(...history).when(cancel)).toEqual([cancelled]);
  });

  it('dismisses a failed operation', () => {
    expect(given(submitted, started, failed).when(cancel)).toEqual([dismissed]);
  });

  it.each([
    ['unknown', []],
    ['completed', [submitted, started, extracted(0, 1)]],
    ['cancelled already', [submitted, cancelled]],
    ['dismissed already', [submitted, failed, dismissed]],
  ])('is refused for one that is %s', (_, history) => {
    expect(() => given(...history).when(cancel)).toThrow(DomainError);
  });

  it('is refused from another space, in the same words as for an unknown one', () => {
    expect(() => given(submitted).when({ ...cancel, space: '7' })).toThrow(`Operation ${ref.operationId} not found`);
  });
});

it('is asked for by a caller who may touch one agent only, and refused for those of others', () => {
  for (const [type, history] of [
    ['CancelOperation', [submitted]],
    ['RetryOperation', [submitted, failed]],
  ] as const) {
    const command = { type, operationId: ref.operationId, space: 'public' };
    expect(given(...history).when({ ...command, onlyAgent: 'alice' })).toHaveLength(1);
    expect(() => given(...history).when({ ...command, onlyAgent: 'bob' })).toThrow('another agent');
    // What is of another space is unknown before it is anybody's.
    expect(() => given(...history).when({ ...command, space: '7', onlyAgent: 'bob' })).toThrow('not found');
  }
});

describe('retrying', () => {
  const retry = { type: 'RetryOperation', operationId: ref.operationId, space: 'public' } as const;

  it('makes a failed operation pending, and counts its attempts anew', () => {
    expect(given(submitted, started, failed).when(retry)).toEqual([retried]);
    const { state, when } = given(submitted, started, failed, retried);
    expect(state.status).toBe('pending');
    expect(when({ type: 'StartOperation' })).toEqual([started]);
  });

  it.each([
    ['unknown', []],
    ['dismissed', [submitted, failed, dismissed]],
  ])('finds none that is %s', (_, history) => {
    expect(() => given(...history).when(retry)).toThrow(`Operation ${ref.operationId} not found`);
  });

  it.each([
    ['waits', [submitted]],
    ['is worked on', [submitted, started]],
    ['is retried already', [submitted, failed, retried]],
    ['is completed', [submitted, extracted(0, 1)]],
    ['is cancelled', [submitted, cancelled]],
  ])('is refused for one that %s, with what to do instead', (_, history) => {
    expect(() => given(...history).when(retry)).toThrow(/: (ask|submit) /);
  });
});

describe('failing', () => {
  it('keeps the message and the number of attempts', () => {
    const events = given(submitted, started).when({ type: 'FailOperation', message: 'The model refused' });
    expect(events).toEqual([{ type: 'OperationFailed', data: { ...ref, message: 'The model refused', attempts: 1 } }]);
  });

  it('does nothing to a completed operation', () => {
    expect(given(submitted, extracted(0, 1)).when({ type: 'FailOperation', message: 'late' })).toEqual([]);
  });
});

it('joins the parts of a large batch in order', () => {
  const part = (index: number, content: string): MemoryEvent => ({
    type: 'BatchSubmitted',
    data: { ...ref, part: index, parts: 2, documentId: 'd', itemsCount: 2, items: [{ ...item, content }] },
  });
  const { state } = given(part(0, 'first'), part(1, 'second'));
  expect(state.items.map(({ content }) => content)).toEqual(['first', 'second']);
});

it('takes no event of another aggregate for its own', () => {
  expect(() => given({ type: 'AgentCreated', data: { space: 'public', agentId: 'alice' } })).toThrow('does not belong');
});
