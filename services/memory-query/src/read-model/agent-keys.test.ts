import { agentKey, memorySubjects } from '@mneme/contracts';
import { beforeEach, expect, it } from 'vitest';
import { type AgentKeyAt, createAgentKeys } from './agent-keys.ts';

const agent = { space: 'public', agentId: 'alice' };
const subject = memorySubjects.unit(agent, 'unit');
const key = agentKey(agent);

let subjects: Map<number, string>;
let asked: number[];
let version: number;
let agentKeyAt: AgentKeyAt;

beforeEach(() => {
  subjects = new Map([[1, subject]]);
  asked = [];
  version = 1;
  const subjectAt = async (sequence: number) => {
    asked.push(sequence);
    return subjects.get(sequence);
  };
  agentKeyAt = createAgentKeys({ subjectAt, version: () => version });
});

it('asks the log for an event once, also when several ask together, and when the event is gone meanwhile', async () => {
  expect(await Promise.all([agentKeyAt(1), agentKeyAt(1)])).toEqual([key, key]);
  subjects.clear();
  expect(await agentKeyAt(1)).toBe(key);
  expect(asked).toEqual([1]);
});

it('asks again for an event that was not there, or whose log was away', async () => {
  expect(await agentKeyAt(2)).toBeUndefined();
  subjects.set(2, subject);
  expect(await agentKeyAt(2)).toBe(key);
  const error = new Error('The log is away');
  const answers = [Promise.reject(error), Promise.resolve(subject)];
  const failing = createAgentKeys({ subjectAt: () => answers.shift() ?? Promise.resolve(''), version: () => 1 });
  await expect(failing(1)).rejects.toThrow(error);
  expect(await failing(1)).toBe(key);
});

it('believes nothing about the log of another version', async () => {
  await agentKeyAt(1);
  version = 2;
  subjects.set(1, memorySubjects.unit({ ...agent, agentId: 'bob' }, 'unit'));
  expect(await agentKeyAt(1)).toBe(agentKey({ ...agent, agentId: 'bob' }));
});

it('remembers about a thousand events, and answers questions about more', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => index + 1);
  for (const sequence of many) subjects.set(sequence, subject);
  expect(new Set(await Promise.all(many.map(agentKeyAt)))).toEqual(new Set([key]));
  asked.length = 0;
  await agentKeyAt(3_000);
  await agentKeyAt(1);
  expect(asked).toEqual([1]);
});
