import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { expect, it, vi } from 'vitest';
import { opinionDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', unitId: 'u' };
const forgotten: MemoryEvent = { type: 'UnitForgotten', data: ref };

function revised(because: string): MemoryEventOf<'OpinionRevised'> {
  const by = { former: 'test', promptVersion: 'v1', embeddingModel: 'test', eventDate: '2026-01-01T00:00:00.000Z' };
  const opinion = { verdict: 'raise', text: 'I like boats.', confidence: 0.9, vector: null, entities: null } as const;
  return { type: 'OpinionRevised', data: { ...ref, ...by, ...opinion, because } };
}

function weigh() {
  const model = vi.fn(async () => revised('f').data);
  return { model, command: { type: 'WeighOpinion', because: 'f', weigh: model } as const };
}

it('weighs an opinion as the last revision left it', async () => {
  const { model, command } = weigh();
  await specify(opinionDecider)
    .given([revised('e')])
    .when(command)
    .then([revised('f')]);
  expect(model).toHaveBeenCalledExactlyOnceWith({ text: 'I like boats.', confidence: 0.9 });
});

it.each([
  ['is forgotten', [forgotten]],
  ['was revised for the same event', [revised('f')]],
])('calls no model for an opinion that %s', async (_, history) => {
  const { model, command } = weigh();
  await specify(opinionDecider).given(history).when(command).then([]);
  expect(model).not.toHaveBeenCalled();
});

it('appends nothing when the opinion stays as it is', async () => {
  const command = { type: 'WeighOpinion', because: 'f', weigh: async () => undefined } as const;
  await specify(opinionDecider).when(command).then([]);
});
