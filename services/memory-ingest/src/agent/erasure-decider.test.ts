import { agentKey } from '@mneme/contracts';
import { expect, it } from 'vitest';
import { erasureDecider } from './erasure-decider.ts';

const agent = { space: 'public', agentId: 'alice' };
const control = { revision: 0, attempt: 1, signal: new AbortController().signal };

const erase = (...types: readonly (string | undefined)[]) =>
  erasureDecider.decide({ type: 'EraseAgent', agent, typesInLog: async () => types }, undefined, control);

it('erases whatever there is, also what cannot be read, and names the agent by its key alone', async () => {
  const erased = [{ type: 'AgentErased', data: { space: 'public', agentKey: agentKey(agent) } }];
  expect(await erase('AgentErased', undefined)).toEqual(erased);
  expect(await erase('FromALaterVersion')).toEqual(erased);
});

it('does nothing when only the mark of an earlier erasure is left', async () => {
  expect(await erase('AgentErased')).toEqual([]);
});

it('refuses an agent that never was', async () => {
  await expect(erase()).rejects.toMatchObject({ code: 'agent-not-found' });
});
