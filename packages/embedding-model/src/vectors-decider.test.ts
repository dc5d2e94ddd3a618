import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { specify } from '@mneme/event-store/testing';
import { describe, expect, it, vi } from 'vitest';
import { type AddVectors, vectorsDecider } from './vectors-decider.ts';

const agent = { space: 'public', agentId: 'alice' };
const facts: MemoryEventOf<'FactsExtracted'> = {
  type: 'FactsExtracted',
  data: {
    ...agent,
    operationId: 'batch',
    documentId: null,
    part: 1,
    parts: 2,
    firstFact: 30,
    extractor: 'test',
    embeddingModel: 'words',
    facts: [],
    contexts: {},
  },
};
const stored: Recorded<MemoryEvent> = {
  ...facts,
  id: 'event-4',
  version: 1,
  source: 'test',
  subject: 'test',
  time: '2026-01-01T00:00:00.000Z',
  position: { stream: 'MEMORY', sequence: 4 },
  correlationId: 'test',
  causationId: undefined,
  attributes: {},
  actor: undefined,
};
const added = (firstFact: number, ...vectors: string[]): MemoryEventOf<'VectorsAdded'> => ({
  type: 'VectorsAdded',
  data: { ...agent, operationId: 'batch', firstFact, embeddingModel: 'words', of: 4, vectors },
});

const add = (vectors: readonly string[], options: Partial<AddVectors> = {}): AddVectors => ({
  type: 'AddVectors',
  event: stored,
  embeddingModel: 'words',
  embed: async () => vectors,
  areLate: true,
  maxEventBytes: 100_000,
  ...options,
});

const nothing = specify(vectorsDecider);

describe('the vectors for an event', () => {
  it('are those of its facts, under the numbers that these have in their batch', async () => {
    await nothing.when(add(['AAAA', 'BBBB'])).then([added(30, 'AAAA', 'BBBB')]);
  });

  it('are added once, and embedded once', async () => {
    const embed = vi.fn(async () => ['AAAA']);
    await nothing
      .given([added(30, 'AAAA')])
      .when(add([], { embed }))
      .then([]);
    expect(embed).not.toHaveBeenCalled();
  });

  it('take effect at the event, and count from its first fact, when a whole memory is brought to another model', async () => {
    const { data } = added(0, 'AAAA');
    await nothing
      .when(add(['AAAA'], { areLate: false }))
      .then([{ type: 'VectorsAdded', data: { ...data, operationId: null } }]);
  });

  it('are divided where a message would be too large, and after a hundred', async () => {
    const vectors = ['A'.repeat(2_000), 'B'.repeat(2_000), 'C'.repeat(2_000)];
    const [first = '', second = '', third = ''] = vectors;
    await nothing.when(add(vectors, { maxEventBytes: 9_000 })).then([added(30, first, second), added(32, third)]);
    const many = Array.from({ length: 101 }, (_, index) => `${index}`);
    await nothing.when(add(many)).then([added(30, ...many.slice(0, 100)), added(130, '100')]);
  });

  it('are refused for an event that has no units', async () => {
    const event = { ...stored, type: 'AgentCreated', data: agent } as Recorded<MemoryEvent>;
    await nothing.when(add(['AAAA'], { event })).thenRefuses(/AgentCreated has no units/);
  });
});
