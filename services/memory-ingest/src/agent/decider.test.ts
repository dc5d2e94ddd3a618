import {
  agentKey,
  defaultPersonality,
  type MemoryEvent,
  type MemoryEventOf,
  maxBackgroundBytes,
} from '@mneme/contracts';
import { specify } from '@mneme/event-store/testing';
import { describe, expect, it, vi } from 'vitest';
import { agentDecider, erasureDecider, type MergeBackground, mergeDecider, type PutAgent } from './decider.ts';

const agent = { space: 'public', agentId: 'alice' };
const bold = { ...defaultPersonality, openness: 0.9 };
const created: MemoryEvent = { type: 'AgentCreated', data: agent };
const traits = { openness: 1, conscientiousness: 0, extraversion: 1, agreeableness: 0, neuroticism: 1 };
const written = { mergeId: 'm', addition: 'You sail.', background: 'I sail.', writer: 'test', promptVersion: 'v1' };
const merged: MemoryEvent = { type: 'BackgroundMerged', data: { ...agent, ...written } };

const given = (...events: readonly MemoryEvent[]) => specify(agentDecider).given(events);
const replaced = (background: string): MemoryEventOf<'BackgroundReplaced'> => {
  return { type: 'BackgroundReplaced', data: { ...agent, background } };
};
const changed = (personality: typeof bold): MemoryEventOf<'PersonalityChanged'> => {
  return { type: 'PersonalityChanged', data: { ...agent, personality } };
};
const put = (change: Partial<PutAgent>): PutAgent => {
  return { type: 'PutAgent', agent, personality: null, background: null, ...change };
};
const merge = (change: Partial<MergeBackground> = {}): MergeBackground => {
  return { type: 'MergeBackground', agent, merge: written, traits: undefined, ...change };
};

describe('putting an agent', () => {
  it('creates it with defaults when nothing is given', () => {
    given().when(put({})).then([created]);
    expect(agentDecider.initialState).toMatchObject({ personality: defaultPersonality, background: '' });
  });

  it('creates and changes it in one append', () => {
    given()
      .when(put({ personality: bold, background: 'I sail.' }))
      .then([created, changed(bold), replaced('I sail.')]);
  });

  it('keeps what is not given', () => {
    given(created, changed(bold), replaced('I sail.'))
      .when(put({ personality: bold }))
      .then([]);
    given(created, changed(bold), replaced('I sail.'))
      .when(put({ background: 'I sail.' }))
      .then([]);
  });

  it('appends nothing when nothing changes, so that retries are safe', () => {
    given(created)
      .when(put({ personality: { ...defaultPersonality }, background: '' }))
      .then([]);
  });

  it('clears a background on request', () => {
    given(created, replaced('I sail.'))
      .when(put({ background: '' }))
      .then([replaced('')]);
  });

  it('refuses a background of more than 64 KiB', () => {
    const longest = 'x'.repeat(maxBackgroundBytes);
    given(created)
      .when(put({ background: longest }))
      .then([replaced(longest)]);
    given(created)
      .when(put({ background: `${longest}x` }))
      .thenRefuses(/more than 65536 bytes/);
    // A background that was stored before the limit was introduced may stay.
    given(created, replaced(`${longest}x`))
      .when(put({ background: `${longest}x` }))
      .then([]);
  });
});

describe('merging into a background', () => {
  it('creates the agent', () => {
    given().when(merge()).then([created, merged]);
  });

  it('changes the traits and keeps the bias strength', () => {
    given(created, changed({ ...bold, bias_strength: 0.1 }))
      .when(merge({ traits }))
      .then([merged, changed({ ...traits, bias_strength: 0.1 })]);
  });

  it('keeps the traits when none are given, and appends nothing when the merge changes nothing', () => {
    given(created, changed(bold)).when(merge()).then([merged]);
    given(created, merged).when(merge()).then([]);
  });

  it('calls no model for an addition that is already merged', async () => {
    const model = vi.fn(async () => merge());
    const addition = { type: 'AddBackground', mergeId: 'm', merge: model } as const;
    await specify(mergeDecider).given([created, merged]).when(addition).then([]);
    expect(model).not.toHaveBeenCalled();
    await specify(mergeDecider).given([created]).when(addition).then([merged]);
  });

  it('remembers the last 1000 merges, and none from before an erasure', () => {
    const merges = Array.from({ length: 1_002 }, (_, index): MemoryEvent => {
      const data = { ...agent, ...written, mergeId: `m${index}`, background: `${index}` };
      return { type: 'BackgroundMerged', data };
    });
    const state = merges.reduce(agentDecider.evolve, agentDecider.initialState);
    expect([state.mergeIds?.length, state.mergeIds?.at(0), state.mergeIds?.at(-1)]).toEqual([1_000, 'm2', 'm1001']);
    const erased: MemoryEvent = { type: 'AgentErased', data: { space: 'public', agentKey: 'x' } };
    expect(agentDecider.evolve(state, erased)).toEqual(agentDecider.initialState);
  });
});

describe('erasing an agent', () => {
  const erased = { type: 'AgentErased', data: { space: 'public', agentKey: agentKey(agent) } } as const;
  const erase = (...types: readonly (string | undefined)[]) =>
    specify(erasureDecider).when({ type: 'EraseAgent', agent, typesInLog: async () => types });

  it('erases whatever is in the log, also events that cannot be decoded, and stores only the key of the agent', async () => {
    await erase('AgentErased', undefined).then([erased]);
    await erase('FromALaterVersion').then([erased]);
  });

  it('appends nothing when only an earlier erasure is in the log', async () => {
    await erase('AgentErased').then([]);
  });

  it('is refused for an agent that never existed', async () => {
    await erase().thenRefuses('agent-not-found');
  });
});
