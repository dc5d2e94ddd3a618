import type { ThinkReply, UnitList } from '@mneme/contracts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type EventLog, openEventLog } from '../system/event-log.ts';
import { eventually } from '../system/eventually.ts';
import { type ModelSystem, oneOpinion, startModelSystem } from './model-system.ts';

const belief = 'I believe that Ana enjoys trips on boats.';

let fixture: ModelSystem;
let log: EventLog;
beforeAll(async () => {
  fixture = await startModelSystem();
  log = await openEventLog(fixture.system.stack.natsUrl);
  return async () => {
    await log.close();
    await fixture.stop();
  };
});
beforeEach(() => fixture.model.reset());

const store = (agent_id: string, content: string) =>
  fixture.system.http.post('/api/memories/batch', { agent_id, items: [{ content }] });
const opinions = async (agentId: string) =>
  (await fixture.system.http.get<UnitList>(`/api/list?agent_id=${agentId}&fact_type=opinion`)).body.items;
const revisions = async () => (await log.after(0)).filter((event) => event.header('ce-type') === 'OpinionRevised');

/** An agent that believes one thing. */
async function believing(agentId: string) {
  await store(agentId, 'Ana loves boats and the sea.');
  fixture.model.replies.next('opinions', oneOpinion(belief));
  const asked = { agent_id: agentId, query: 'Would Ana like a trip on a boat?' };
  const { body } = await fixture.system.http.post<ThinkReply>('/api/think', asked);
  expect(body.new_opinions).toEqual([belief]);
}

test('new facts that bear on an opinion rewrite it in the background, once', async () => {
  await believing('alice');
  const changed = 'I believe that Ana no longer enjoys boats.';
  const rewritten = { verdict: 'rewrite', text: changed, confidence: 0.7 };
  fixture.model.replies.always('revise', { json: { ...rewritten, entities: [{ name: 'Boats', type: 'CONCEPT' }] } });
  await store('alice', 'Ana was sick on all trips on boats this year.');
  await eventually('the opinion is rewritten', async () => (await opinions('alice'))[0]?.text === changed);
  expect(await opinions('alice')).toMatchObject([{ entities: 'Boats (CONCEPT)' }]);
  const [revise] = fixture.model.requests.filter(({ task }) => task === 'revise');
  expect(revise?.text).toContain(belief);
  expect(revise?.text).toContain('Ana was sick');
  const { body } = await fixture.system.http.post('/api/search', {
    agent_id: 'alice',
    query: 'Does Ana no longer enjoy boats?',
    fact_type: ['opinion'],
  });
  expect(body.results.map(({ text }: { text: string }) => text)).toEqual([changed]);
  expect(await revisions()).toHaveLength(1);
});

test('an opinion that is surer now is told with its new confidence', async () => {
  await believing('sure');
  fixture.model.replies.always('revise', { json: { verdict: 'raise', text: belief, confidence: 0.95 } });
  const before = (await revisions()).length;
  await store('sure', 'Ana enjoyed two trips on boats this week.');
  await eventually('the opinion is revised', async () => (await revisions()).length > before);
  await eventually('the next answer knows it', async () => {
    fixture.model.reset();
    await fixture.system.http.post('/api/think', { agent_id: 'sure', query: 'Would Ana like a trip on a boat?' });
    return fixture.model.requests.some(({ task, text }) => task === 'think' && /0\.95/.test(text));
  });
});

test('a model that is away for a while is asked again', async () => {
  await believing('patient');
  const lowered = { json: { verdict: 'lower', text: belief, confidence: 0.2 } };
  const fault = { fault: 'server-error' } as const;
  fixture.model.replies.next('revise', fault, fault, lowered);
  const before = (await revisions()).length;
  await store('patient', 'Ana was sick on all trips on boats this year.');
  await eventually('the opinion is revised', async () => (await revisions()).length > before);
});

test('facts about something else ask no model', async () => {
  await believing('calm');
  fixture.model.reset();
  await store('calm', 'The tax office opens at nine.');
  await store('nobody', 'Ana was sick on all trips on boats this year.');
  await eventually('both are looked at', async () => fixture.model.calls('embed') >= 2);
  expect(fixture.model.calls('revise')).toBe(0);
});

test('a revision that the model refuses becomes a dead letter with its reason, and the opinion stays as it was', async () => {
  await believing('stubborn');
  fixture.model.replies.always('revise', { fault: 'refusal' });
  await store('stubborn', 'Ana was sick on all trips on boats this year.');
  const deadLetters = await openEventLog(fixture.system.stack.natsUrl, 'PARKED');
  const [event] = await eventually('it is a dead letter', async () => {
    const events = await deadLetters.after(0);
    return events.length > 0 && events;
  });
  await deadLetters.close();
  expect(event?.header('parked-by')).toBe('memory-opinions');
  expect(decodeURIComponent(event?.header('parked-reason') ?? '')).toMatch(/^Opinions that cannot be weighed: 1\. ./);
  expect(await opinions('stubborn')).toMatchObject([{ text: belief }]);
});
