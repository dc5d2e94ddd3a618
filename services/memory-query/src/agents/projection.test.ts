import { agentKey, defaultPersonality, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { describe, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { given } from '../testing/spec.ts';

const ref = { space: 'public', agentId: 'alice' };
const key = agentKey(ref);
const eventDate = '2026-01-01T00:00:00.000Z';

it('creates an agent with its first event, at the time of that event', () => {
  const event = createLogWriter().submitted('a', null, 'x');
  given(event).thenRows({
    agents: [
      { _id: key, agentId: 'alice', background: '', personality: defaultPersonality, createdAt: new Date(event.time) },
    ],
  });
});

it('changes the personality and the background', () => {
  const log = createLogWriter();
  const personality = { ...defaultPersonality, openness: 0.9 };
  const created = log.record<MemoryEvent>({ type: 'AgentCreated', data: ref });
  const changed = log.record<MemoryEvent>({ type: 'PersonalityChanged', data: { ...ref, personality } });
  const replaced = log.record<MemoryEvent>({ type: 'BackgroundReplaced', data: { ...ref, background: 'I sail.' } });
  given(created, changed, replaced).thenRows({
    agents: [
      { personality, background: 'I sail.', createdAt: new Date(created.time), updatedAt: new Date(replaced.time) },
    ],
  });
});

it('does not change an agent that exists when it is created again', () => {
  const log = createLogWriter();
  const first = log.submitted('a', null, 'x');
  given(first, log.record<MemoryEvent>({ type: 'AgentCreated', data: ref })).thenRows({
    agents: [{ updatedAt: new Date(first.time) }],
  });
});

/** An answer with an opinion in it. */
function thought({ record }: ReturnType<typeof createLogWriter>, read: { readAt?: number }): Recorded<MemoryEvent>[] {
  const of = { ...ref, thoughtId: 't', promptVersion: 'v1', ...read };
  const opinion = { text: 'Ana likes boats.', confidence: 0.6, entities: [], eventDate, vector: '' };
  return [
    record<MemoryEvent>({
      type: 'QuestionAnswered',
      data: { ...of, query: 'Why?', answer: 'Because.', basedOn: [], thinker: 'test' },
    }),
    record<MemoryEvent>({
      type: 'OpinionsFormed',
      data: { ...of, opinions: [opinion], former: 'test', embeddingModel: 'test' },
    }),
  ];
}

it('keeps the opinions of a thought that came after its creation', () => {
  const log = createLogWriter();
  const created = log.record<MemoryEvent>({ type: 'AgentCreated', data: ref });
  given(created, ...thought(log, { readAt: 0 })).thenRows({ agents: [{ _id: key }], units: [{ factType: 'opinion' }] });
});

it('exists from its first thought on, if that was recorded by an earlier release', () => {
  given(...thought(createLogWriter(), {})).thenRows({ agents: [{ _id: key }], units: [{ factType: 'opinion' }] });
});

describe('an erased agent', () => {
  it('is removed with everything that it had, and other agents stay', async () => {
    const [log, other] = [createLogWriter(), createLogWriter('public', 'bob')];
    const events = await log.batch('a', 'doc', 'x');
    const others = [other.submitted('b', 'doc', 'y'), await other.extracted('b', 'doc', 'y')];
    given(...events, ...others, log.erased()).thenRows({
      agents: [{ agentId: 'bob' }],
      operations: [{ _id: 'b' }],
      documents: [{ documentId: 'doc' }],
      turns: [{ text: 'y' }],
      units: [{ text: 'y' }],
      erasedAgents: [key],
    });
  });

  it('gets nothing from work in progress', async () => {
    const log = createLogWriter();
    given(log.submitted('a', 'doc', 'x'), log.erased(), await log.extracted('a', 'doc', 'x')).thenRows({
      agents: [],
      operations: [],
      documents: [],
      units: [],
    });
  });

  it('gets nothing from a thought or a deletion that was being recorded', () => {
    const log = createLogWriter();
    const [submitted, erased] = [log.submitted('a', 'doc', 'x'), log.erased()];
    given(submitted, erased, ...thought(log, { readAt: 1 }), log.deleted('doc')).thenRows({
      agents: [],
      documents: [],
      units: [],
    });
  });

  it('starts empty when it is created again', async () => {
    const log = createLogWriter();
    given(...(await log.batch('a', null, 'x')), log.erased(), ...(await log.batch('b', null, 'y'))).thenRows({
      units: [{ text: 'y' }],
      agents: [{ agentId: 'alice', createdAt: new Date('2026-01-01T00:00:04Z') }],
    });
  });
});
