import { defaultPersonality, type MemoryEvent } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { agentDecider, type MergeBackground, maxBackgroundBytes, type PutAgent } from './decider.ts';

const agent = { space: 'public', agentId: 'alice' };
const bold = { ...defaultPersonality, openness: 0.9 };
const created: MemoryEvent = { type: 'AgentCreated', data: agent };

function put(change: Partial<PutAgent>, ...history: readonly MemoryEvent[]) {
  const state = history.reduce(agentDecider.evolve, agentDecider.initialState);
  return agentDecider.decide({ type: 'PutAgent', agent, personality: null, background: null, ...change }, state);
}

it('creates an agent with defaults when nothing is given', () => {
  expect(put({})).toEqual([created]);
  expect(agentDecider.initialState).toMatchObject({ personality: defaultPersonality, background: '' });
});

it('creates and changes in one go', () => {
  expect(put({ personality: bold, background: 'I sail.' }).map(({ type }) => type)).toEqual([
    'AgentCreated',
    'PersonalityChanged',
    'BackgroundReplaced',
  ]);
});

it('keeps what is not given', () => {
  const change: MemoryEvent = { type: 'PersonalityChanged', data: { ...agent, personality: bold } };
  const background: MemoryEvent = { type: 'BackgroundReplaced', data: { ...agent, background: 'I sail.' } };
  const state = [created, change, background].reduce(agentDecider.evolve, agentDecider.initialState);
  expect(state).toEqual({ exists: true, personality: bold, background: 'I sail.' });
});

it('appends nothing when nothing changes, so that retries are safe', () => {
  expect(put({ personality: { ...defaultPersonality }, background: '' }, created)).toEqual([]);
});

it('empties a background when that is asked for', () => {
  const background: MemoryEvent = { type: 'BackgroundReplaced', data: { ...agent, background: 'I sail.' } };
  expect(put({ background: '' }, created, background)).toEqual([
    { type: 'BackgroundReplaced', data: { ...agent, background: '' } },
  ]);
});

const traits = { openness: 1, conscientiousness: 0, extraversion: 1, agreeableness: 0, neuroticism: 1 };
const written = { mergeId: 'm', addition: 'You sail.', background: 'I sail.', writer: 'test', promptVersion: 'v1' };

function merge(change: Partial<MergeBackground>, ...history: readonly MemoryEvent[]) {
  const state = history.reduce(agentDecider.evolve, agentDecider.initialState);
  const command = { type: 'MergeBackground', agent, merge: written, traits: undefined, ...change } as const;
  return agentDecider.decide(command, state);
}

it('creates an agent by what is added to its background', () => {
  expect(merge({})).toEqual([created, { type: 'BackgroundMerged', data: { ...agent, ...written } }]);
});

it('takes traits out of a background and keeps the bias strength', () => {
  const biased: MemoryEvent = {
    type: 'PersonalityChanged',
    data: { ...agent, personality: { ...bold, bias_strength: 0.1 } },
  };
  expect(merge({ traits }, created, biased).at(-1)).toEqual({
    type: 'PersonalityChanged',
    data: { ...agent, personality: { ...traits, bias_strength: 0.1 } },
  });
});

it('keeps the traits when none are given, and says nothing when a merge changes nothing', () => {
  const merged: MemoryEvent = { type: 'BackgroundMerged', data: { ...agent, ...written } };
  expect(merge({}, created).map(({ type }) => type)).toEqual(['BackgroundMerged']);
  expect(merge({}, created, merged)).toEqual([]);
});

it('takes no background of more than 64 KiB', () => {
  const longest = 'x'.repeat(maxBackgroundBytes);
  expect(put({ background: longest }, created)).toHaveLength(1);
  expect(() => put({ background: `${longest}x` }, created)).toThrow('more than 65536 bytes');
  // One that was stored before there was a limit may stay.
  const old: MemoryEvent = { type: 'BackgroundReplaced', data: { ...agent, background: `${longest}x` } };
  expect(put({ background: `${longest}x` }, created, old)).toEqual([]);
});

it('remembers the last merges, and none of before an erasure', () => {
  const merges = Array.from({ length: 1_002 }, (_, index): MemoryEvent => {
    const data = { ...agent, ...written, mergeId: `m${index}`, background: `${index}` };
    return { type: 'BackgroundMerged', data };
  });
  const state = merges.reduce(agentDecider.evolve, agentDecider.initialState);
  expect([state.mergeIds?.length, state.mergeIds?.at(0), state.mergeIds?.at(-1)]).toEqual([1_000, 'm2', 'm1001']);
  const erased: MemoryEvent = { type: 'AgentErased', data: { space: 'public', agentKey: 'x' } };
  expect(agentDecider.evolve(state, erased)).toEqual(agentDecider.initialState);
});
