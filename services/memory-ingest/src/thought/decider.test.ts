import type { MemoryEvent, MemoryEventOf } from '@mneme/contracts';
import { expect, it, vi } from 'vitest';
import { thoughtDecider } from './decider.ts';

const ref = { space: 'public', agentId: 'alice', thoughtId: 't' };
const by = { promptVersion: 'v1' };
const answered: MemoryEventOf<'QuestionAnswered'> = {
  type: 'QuestionAnswered',
  data: { ...ref, ...by, query: 'Why?', answer: 'Because.', basedOn: ['u'], thinker: 'test' },
};

function formed(text: string): MemoryEventOf<'OpinionsFormed'> {
  const opinion = { text, confidence: 0.5, entities: [], eventDate: '2026-01-01T00:00:00.000Z', vector: '' };
  const models = { former: 'test', embeddingModel: 'test' };
  return { type: 'OpinionsFormed', data: { ...ref, ...by, ...models, opinions: [opinion] } };
}

const given = (...history: readonly MemoryEvent[]) => history.reduce(thoughtDecider.evolve, undefined);
const control = { revision: 0, attempt: 1, signal: new AbortController().signal };

it('records an answer with its opinions', async () => {
  const formOpinions = async () => [formed('I like it.')];
  const events = await thoughtDecider.decide({ type: 'RecordThought', answered, formOpinions }, given(), control);
  expect(events).toEqual([answered, formed('I like it.')]);
});

it('leaves one that is recorded as it is, and asks no model', async () => {
  const formOpinions = vi.fn(async () => [formed('Later.')]);
  const state = given(answered, formed('I like it.'));
  expect(state).toEqual({ answer: 'Because.', basedOn: ['u'], newOpinions: ['I like it.'] });
  const command = { type: 'RecordThought', answered, formOpinions } as const;
  expect(await thoughtDecider.decide(command, state, control)).toEqual([]);
  expect(formOpinions).not.toHaveBeenCalled();
});

it('takes no event of another aggregate for its own', () => {
  expect(() => given({ type: 'AgentCreated', data: { space: 's', agentId: 'a' } })).toThrow('does not belong');
});
