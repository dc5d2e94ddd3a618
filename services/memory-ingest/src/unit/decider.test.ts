import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { describe, expect, it, vi } from 'vitest';
import { opinionDecider, unitDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', unitId: 'u' };
const forgotten: MemoryEvent = { type: 'UnitForgotten', data: ref };

function revised(because: string, text = 'I like boats.'): MemoryEventOf<'OpinionRevised'> {
  const by = { former: 'test', promptVersion: 'v1', embeddingModel: 'test', eventDate: '2026-01-01T00:00:00.000Z' };
  const opinion = { verdict: 'raise', text, confidence: 0.9, vector: null, entities: null } as const;
  return { type: 'OpinionRevised', data: { ...ref, ...by, ...opinion, because } };
}

const given = (...history: readonly MemoryEvent[]) => history.reduce(unitDecider.evolve, unitDecider.initialState);
const control = { revision: 0, attempt: 1, signal: new AbortController().signal };

describe('forgetting a unit', () => {
  it('is recorded once and refused afterwards', () => {
    const forget = { type: 'ForgetUnit', ...ref } as const;
    expect(unitDecider.decide(forget, given(revised('e')))).toEqual([forgotten]);
    expect(() => unitDecider.decide(forget, given(forgotten))).toThrow('Memory unit not found');
  });
});

describe('weighing an opinion', () => {
  it('goes on from the last revision', async () => {
    const weigh = vi.fn(async () => revised('f').data);
    const command = { type: 'WeighOpinion', because: 'f', weigh } as const;
    expect(await opinionDecider.decide(command, given(revised('e')), control)).toEqual([revised('f')]);
    expect(weigh).toHaveBeenCalledExactlyOnceWith({ text: 'I like boats.', confidence: 0.9 });
  });

  it.each([
    ['is forgotten', [forgotten]],
    ['was revised for the same event', [revised('f')]],
  ])('asks no model for one that %s', async (_, history) => {
    const weigh = vi.fn(async () => revised('f').data);
    const command = { type: 'WeighOpinion', because: 'f', weigh } as const;
    expect(await opinionDecider.decide(command, given(...history), control)).toEqual([]);
    expect(weigh).not.toHaveBeenCalled();
  });

  it('records nothing when it stays as it is', async () => {
    const command = { type: 'WeighOpinion', because: 'f', weigh: async () => undefined } as const;
    expect(await opinionDecider.decide(command, given(), control)).toEqual([]);
  });
});

it('takes no event of another aggregate for its own', () => {
  expect(() => given({ type: 'AgentCreated', data: { space: 's', agentId: 'a' } })).toThrow('does not belong');
});
