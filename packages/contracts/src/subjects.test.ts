import { expect, it } from 'vitest';
import { agentKey, memorySubjects, partitionOf, partitions } from './subjects.ts';

const odd = { space: 'public', agentId: 'a.b *>\n 😀' };

it('makes subjects of ids that no subject could hold', () => {
  const subject = memorySubjects.operation(odd, '019a9f6e-0000-7000-8000-000000000001');
  expect(subject).toMatch(/^memory\.\d{1,2}\.operation\.[0-9a-f]{32}\.[0-9a-f-]{36}$/);
});

// These stand in every log; another value would cut agents off from their past.
it('never changes the key and the partition of an agent', () => {
  const alice = { space: 'public', agentId: 'alice' };
  expect(agentKey(alice)).toBe('1ec5bdababe585050d25d568d28467d6');
  expect(memorySubjects.agent(alice)).toBe('memory.43.agent.1ec5bdababe585050d25d568d28467d6');
});

it('keeps the same agent id in two spaces apart', () => {
  expect(agentKey({ space: '1', agentId: 'alice' })).not.toBe(agentKey({ space: '2', agentId: 'alice' }));
  expect(agentKey({ space: '1', agentId: '2\u0000x' })).not.toBe(agentKey({ space: '1\u00002', agentId: 'x' }));
});

it('keeps ids apart that are no proper text', () => {
  expect(agentKey({ space: 'public', agentId: '\ud800' })).not.toBe(agentKey({ space: 'public', agentId: '\ud801' }));
});

it('keeps everything of one agent in one partition', () => {
  const subjects = [
    memorySubjects.agent(odd),
    memorySubjects.unit(odd, 'u'),
    memorySubjects.document(odd, 'any / id'),
    memorySubjects.operation(odd, 'o'),
  ];
  expect(new Set(subjects.map((subject) => subject.split('.')[1])).size).toBe(1);
});

it('spreads agents over all partitions', () => {
  const used = new Set(
    Array.from({ length: 2_000 }, (_, index) => partitionOf(agentKey({ space: 'public', agentId: `agent-${index}` }))),
  );
  expect(used.size).toBe(partitions);
});
