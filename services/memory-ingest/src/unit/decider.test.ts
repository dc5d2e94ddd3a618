import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { expect, it } from 'vitest';
import { unitDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', unitId: 'u' };
const forgotten: MemoryEvent = { type: 'UnitForgotten', data: ref };
const forget = { type: 'ForgetUnit', ...ref } as const;
const by = { former: 'test', promptVersion: 'v1', embeddingModel: 'test', eventDate: '2026-01-01T00:00:00.000Z' };
const opinion = { verdict: 'raise', text: 'I like boats.', confidence: 0.9, vector: null, entities: null } as const;
const revised: MemoryEventOf<'OpinionRevised'> = {
  type: 'OpinionRevised',
  data: { ...ref, ...by, ...opinion, because: 'e' },
};

const given = (...events: readonly MemoryEvent[]) => specify(unitDecider).given(events);

it('forgets a unit once and refuses to forget it again', () => {
  given().when(forget).then([forgotten]);
  given(revised).when(forget).then([forgotten]);
  given(forgotten).when(forget).thenRefuses('unit-not-found');
});

it('revises an opinion once for an event, and no forgotten one', () => {
  const revise = { type: 'ReviseOpinion', revision: revised.data } as const;
  given().when(revise).then([revised]);
  given(revised).when(revise).then([]);
  given(forgotten).when(revise).then([]);
});

it('rejects an event of another aggregate', () => {
  const foreign: MemoryEvent = { type: 'AgentCreated', data: { space: 's', agentId: 'a' } };
  expect(() => unitDecider.evolve(unitDecider.initialState, foreign)).toThrow('does not belong');
});
