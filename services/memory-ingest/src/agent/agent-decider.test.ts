import { defaultPersonality, type MemoryEvent } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { agentDecider, type PutAgent } from './agent-decider.ts';

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
