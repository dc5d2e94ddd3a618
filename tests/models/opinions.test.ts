import type { MemoryUnit, OpinionHistory, ThinkReply, UnitList } from '@mneme/contracts';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { EventLog } from '../system/stores/event-log.ts';
import { oneOpinion, useModelSystem } from './model-system.ts';

const belief = 'I believe that Ana enjoys trips on boats.';

const fixture = useModelSystem();
let log: EventLog;
/** Where the log ended before. */
let start: number;
beforeAll(async () => {
  log = await fixture.system.openLog();
  start = await log.head();
});

const store = (agent_id: string, content: string) =>
  fixture.system.http.post('/api/memories/batch', { agent_id, items: [{ content }] });
const opinions = async (agentId: string) =>
  (await fixture.system.http.get<UnitList>(`/api/list?agent_id=${agentId}&fact_type=opinion`)).body.items;
const revisions = async () => (await log.after(start)).filter((event) => event.header('ce-type') === 'OpinionRevised');

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

test('a fact that is stored again is no new evidence, and the model learns when a fact was', async () => {
  await believing('repeated');
  fixture.model.replies.always('revise', { json: { verdict: 'lower', text: belief, confidence: 0.5 } });
  const sick = 'Ana was sick on all trips on boats this year.';
  const feared = 'Ana feared trips on boats.';
  for (const content of [sick, sick, sick]) await store('repeated', content);
  await fixture.system.http.post('/api/memories/batch', {
    agent_id: 'repeated',
    items: [{ content: feared, event_date: '2015-03-01T10:00:00Z' }],
  });
  const weighed = () => fixture.model.requests.filter(({ task }) => task === 'revise');
  await eventually('the last is weighed', async () => weighed().some(({ prompt }) => prompt.includes(feared)));
  expect(weighed().map(({ prompt }) => prompt.includes(sick))).toEqual([true, false]);
  expect(weighed()[1]?.prompt).toContain(`[2015-03-01] ${feared}`);
});

test('a revision that the model refuses becomes a dead letter with its reason, and the opinion stays as it was', async () => {
  await believing('stubborn');
  fixture.model.replies.always('revise', { fault: 'refusal' });
  const deadLetters = await fixture.system.openLog('PARKED');
  const before = await deadLetters.head();
  await store('stubborn', 'Ana was sick on all trips on boats this year.');
  const [event] = await eventually('it is a dead letter', async () => {
    const events = await deadLetters.after(before);
    return events.length > 0 && events;
  });
  expect(event?.header('parked-by')).toBe('memory-opinions');
  expect(decodeURIComponent(event?.header('parked-reason') ?? '')).toMatch(/^Opinions that cannot be weighed: 1\. ./);
  expect(await opinions('stubborn')).toMatchObject([{ text: belief }]);
});

test('an opinion says by which facts it was formed and revised, with its confidence before and after', async () => {
  await believing('traced');
  const [{ id = '' } = {}] = await opinions('traced');
  const unitOf = async () => (await fixture.system.http.get<MemoryUnit>(`/api/memory/${id}`)).body;
  const facts = async (text: string) => {
    const { body } = await fixture.system.http.get<UnitList>(`/api/list?agent_id=traced&q=${encodeURIComponent(text)}`);
    return body.items.map((unit) => ({ id: unit.id, text: unit.text }));
  };
  const loved = await facts('Ana loves');
  fixture.model.replies.next('revise', { json: { verdict: 'raise', text: belief, confidence: 0.95 } });
  await store('traced', 'Ana enjoyed two trips on boats this week.');
  await eventually('it is revised', async () => (await unitOf()).opinion?.length === 2);
  const changed = 'I believe that Ana no longer enjoys boats.';
  fixture.model.replies.next('revise', { json: { verdict: 'rewrite', text: changed, confidence: 0.7, entities: [] } });
  await store('traced', 'Ana was sick on all trips on boats this year.');
  await eventually('it is rewritten', async () => (await unitOf()).opinion?.length === 3);
  const unit = await unitOf();
  const step = (change: string, before: number | null, after: number, causes: unknown) => ({
    change,
    event: expect.objectContaining({ stream: 'MEMORY' }),
    confidence_before: before,
    confidence_after: after,
    facts: causes,
  });
  expect(unit).toMatchObject({ text: changed, confidence: 0.7, origin: { operation_id: null } });
  expect(unit.origin?.event.type).toBe('OpinionsFormed');
  expect(unit.opinion).toEqual([
    step('formed', null, 0.8, loved),
    step('raise', 0.8, 0.95, await facts('Ana enjoyed')),
    step('rewrite', 0.95, 0.7, await facts('Ana was sick')),
  ]);
  expect(unit.history.map(({ text }) => text)).toEqual([belief]);
  const corrected = 'I believe that Ana fears boats.';
  await fixture.system.http.patch(`/api/memory/${id}`, { text: corrected });
  fixture.model.replies.next('revise', { json: { verdict: 'lower', text: corrected, confidence: 0.4 } });
  const before = fixture.model.requests.length;
  await store('traced', 'Ana stayed away from boats all summer.');
  await eventually('what was corrected is weighed', async () => (await unitOf()).opinion?.length === 4);
  const weighed = fixture.model.requests.slice(before).find(({ task }) => task === 'revise');
  expect(weighed?.text).toContain(corrected);
  expect(await unitOf()).toMatchObject({ text: corrected, confidence: 0.4 });
  const history = async (query = '') =>
    (await fixture.system.http.get<OpinionHistory>(`/api/opinions/${id}/history${query}`)).body;
  const { steps, ...present } = await history('?agent_id=traced');
  expect(present).toEqual({ unit_id: id, agent_id: 'traced', text: corrected, confidence: 0.4, has_more: false });
  expect(steps.map(({ reason, text, confidence, facts: causes }) => [reason, text, confidence, causes])).toEqual([
    ['formed', belief, 0.8, loved],
    ['raise', belief, 0.95, await facts('Ana enjoyed')],
    ['rewrite', changed, 0.7, await facts('Ana was sick')],
    ['corrected', corrected, 0.7, []],
    ['lower', corrected, 0.4, await facts('Ana stayed')],
  ]);
  const times = steps.map(({ time }) => time);
  expect(times).toEqual([...times].sort());
  expect(steps[2]?.event).toMatchObject({ stream: 'MEMORY', type: 'OpinionRevised', time: times[2] });
  const refused = async (path: string) => (await fixture.system.http.get(path)).status;
  expect(await refused(`/api/opinions/${id}/history?agent_id=other`)).toBe(404);
  expect(await refused(`/api/opinions/${loved[0]?.id}/history`)).toBe(404);
  expect(await refused('/api/opinions/3b241101-e2bb-5255-8caf-4136c566a962/history')).toBe(404);
  expect(await refused('/api/opinions/x/history')).toBe(422);
  expect(await refused(`/api/opinions/${id}/history?agent_id=`)).toBe(422);
  const [first] = loved;
  await fixture.system.http.delete(`/api/memory/${first?.id}`);
  expect((await unitOf()).opinion?.[0]?.facts).toEqual([{ id: first?.id, text: null }]);
});
