import type { MemoryEventOf } from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { expect, it, vi } from 'vitest';
import { thoughtDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', thoughtId: 't' };
const answered: MemoryEventOf<'QuestionAnswered'> = {
  type: 'QuestionAnswered',
  data: { ...ref, promptVersion: 'v1', query: 'Why?', answer: 'Because.', basedOn: ['u'], thinker: 'test' },
};

function formed(text: string): MemoryEventOf<'OpinionsFormed'> {
  const opinion = { text, confidence: 0.5, entities: [], eventDate: '2026-01-01T00:00:00.000Z', vector: '' };
  const by = { former: 'test', promptVersion: 'v1', embeddingModel: 'test' };
  return { type: 'OpinionsFormed', data: { ...ref, ...by, opinions: [opinion] } };
}

it('records an answer with its opinions', async () => {
  const formOpinions = async () => [formed('I like it.')];
  const command = { type: 'RecordThought', answered, formOpinions } as const;
  await specify(thoughtDecider)
    .when(command)
    .then([answered, formed('I like it.')]);
});

it('leaves a recorded thought as it is, and calls no model', async () => {
  const formOpinions = vi.fn(async () => [formed('Later.')]);
  const history = [answered, formed('I like it.')];
  const command = { type: 'RecordThought', answered, formOpinions } as const;
  await specify(thoughtDecider).given(history).when(command).then([]);
  expect(formOpinions).not.toHaveBeenCalled();
});

it('rejects an event of another aggregate', () => {
  const foreign = { type: 'AgentCreated', data: { space: 's', agentId: 'a' } } as const;
  expect(() => thoughtDecider.evolve(undefined, foreign)).toThrow('does not belong');
});
