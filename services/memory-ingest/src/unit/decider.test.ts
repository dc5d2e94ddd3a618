import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { describe, expect, it } from 'vitest';
import { correctionDecider, unitDecider } from './decider.ts';

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

describe('a correction', () => {
  const data = {
    ...ref,
    correctionId: 'c1',
    text: 'new',
    eventDate: by.eventDate,
    entities: [],
    vector: '',
    embeddingModel: 'test',
    extractor: 'test',
  };
  const corrected: MemoryEventOf<'UnitCorrected'> = { type: 'UnitCorrected', data };
  const decide = (
    events: readonly MemoryEvent[],
    change: { expectedText?: string; text?: string; id?: string } = {},
  ) => {
    const { expectedText = null, text = 'new', id = 'c2' } = change;
    const state = events.reduce(unitDecider.evolve, unitDecider.initialState);
    const correct = async () => ({ ...data, correctionId: id, text });
    const command = { type: 'CorrectUnit', correctionId: id, text, expectedText, storedText: 'old', correct } as const;
    const control = { revision: 0, attempt: 1, signal: new AbortController().signal };
    return Promise.resolve(correctionDecider.decide(command, state, control));
  };

  it('is recorded once, and not if it changes nothing', async () => {
    expect(await decide([])).toMatchObject([{ type: 'UnitCorrected', data: { text: 'new' } }]);
    expect(await decide([corrected], { id: 'c1', text: 'other' })).toEqual([]);
    expect(await decide([corrected])).toEqual([]);
    expect(await decide([], { text: 'old' })).toEqual([]);
  });

  it('expects the last text, which is the stored one as long as nothing changed it', async () => {
    expect(await decide([], { expectedText: 'old' })).toHaveLength(1);
    expect(await decide([corrected], { expectedText: 'new', text: 'newer' })).toHaveLength(1);
    await expect(decide([corrected], { expectedText: 'old', text: 'newer' })).rejects.toMatchObject({
      code: 'unit-changed',
    });
    expect(await decide([corrected, revised], { expectedText: revised.data.text, text: 'newer' })).toHaveLength(1);
  });

  it('is refused for a forgotten unit, also when it is repeated', async () => {
    await expect(decide([corrected, forgotten], { id: 'c1' })).rejects.toMatchObject({ code: 'unit-not-found' });
  });
});
