import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { describe, expect, it, vi } from 'vitest';
import { type CorrectUnit, correctionDecider, opinionDecider, unitDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', unitId: 'u' };
const forgotten: MemoryEvent = { type: 'UnitForgotten', data: ref };
const forget = { type: 'ForgetUnit', ...ref } as const;
const by = { former: 'test', promptVersion: 'v1', embeddingModel: 'test', eventDate: '2026-01-01T00:00:00.000Z' };
const opinion = { verdict: 'raise', text: 'I like boats.', confidence: 0.9, vector: null, entities: null } as const;

function revisedFor(because: string): MemoryEventOf<'OpinionRevised'> {
  return { type: 'OpinionRevised', data: { ...ref, ...by, ...opinion, because } };
}
const revised = revisedFor('e');

const given = (...events: readonly MemoryEvent[]) => specify(unitDecider).given(events);

it('forgets a unit once and refuses to forget it again', () => {
  given().when(forget).then([forgotten]);
  given(revised).when(forget).then([forgotten]);
  given(forgotten).when(forget).thenRefuses('unit-not-found');
});

it('rejects an event of another aggregate', () => {
  const foreign: MemoryEvent = { type: 'AgentCreated', data: { space: 's', agentId: 'a' } };
  expect(() => unitDecider.evolve(unitDecider.initialState, foreign)).toThrow('does not belong');
});

describe('a correction', () => {
  const found = { eventDate: by.eventDate, entities: [], vector: '', embeddingModel: 'test', extractor: 'test' };
  const correctedTo = (text: string, correctionId: string): MemoryEventOf<'UnitCorrected'> => {
    return { type: 'UnitCorrected', data: { ...ref, ...found, correctionId, text } };
  };
  const corrected = correctedTo('new', 'c1');
  const given = (...events: readonly MemoryEvent[]) => specify(correctionDecider).given(events);

  /** A correction of a unit that the read model has as "old", and the event that it leads to. */
  function correctTo(text: string, { expectedText = null, correctionId = 'c2' }: Partial<CorrectUnit> = {}) {
    const event = correctedTo(text, correctionId);
    const correct = vi.fn(async () => event.data);
    const command = { type: 'CorrectUnit', correctionId, text, expectedText, storedText: 'old', correct } as const;
    return { command, event, correct };
  }

  it('is recorded once', async () => {
    const { command, event } = correctTo('new');
    await given().when(command).then([event]);
    const repeated = correctTo('other', { correctionId: 'c1' });
    await given(corrected).when(repeated.command).then([]);
    expect(repeated.correct).not.toHaveBeenCalled();
  });

  it.each([
    ['the last correction', [corrected], 'new'],
    ['the stored unit', [], 'old'],
  ])('that has the text of %s already is not recorded, and asks no model', async (_, history, text) => {
    const { command, correct } = correctTo(text);
    await given(...history)
      .when(command)
      .then([]);
    expect(correct).not.toHaveBeenCalled();
  });

  it.each([
    ['the stored one, if nothing has changed it', [], 'old'],
    ['that of the last correction', [corrected], 'new'],
    ['that of the last revision', [corrected, revised], revised.data.text],
  ])('expects the present text: %s', async (_, history, expectedText) => {
    const { command, event } = correctTo('newer', { expectedText });
    await given(...history)
      .when(command)
      .then([event]);
  });

  it('of an earlier text is refused', async () => {
    const { command, correct } = correctTo('newer', { expectedText: 'old' });
    await given(corrected).when(command).thenRefuses('unit-changed');
    expect(correct).not.toHaveBeenCalled();
  });

  it('is refused for a forgotten unit, also when it is repeated', async () => {
    const { command } = correctTo('new', { correctionId: 'c1' });
    await given(corrected, forgotten).when(command).thenRefuses('unit-not-found');
  });
});

describe('an opinion', () => {
  function weigh() {
    const model = vi.fn(async () => revisedFor('f').data);
    return { model, command: { type: 'WeighOpinion', because: 'f', weigh: model } as const };
  }

  it('is weighed as the last revision left it', async () => {
    const { model, command } = weigh();
    await specify(opinionDecider)
      .given([revised])
      .when(command)
      .then([revisedFor('f')]);
    expect(model).toHaveBeenCalledExactlyOnceWith({ text: 'I like boats.', confidence: 0.9 });
  });

  it.each([
    ['is forgotten', [forgotten]],
    ['was revised for the same event', [revisedFor('f')]],
  ])('that %s is not revised, and no model is called', async (_, history) => {
    const { model, command } = weigh();
    await specify(opinionDecider).given(history).when(command).then([]);
    expect(model).not.toHaveBeenCalled();
  });

  it('that stays as it is appends nothing', async () => {
    const command = { type: 'WeighOpinion', because: 'f', weigh: async () => undefined } as const;
    await specify(opinionDecider).when(command).then([]);
  });
});
