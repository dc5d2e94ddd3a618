import { agentKey, type MemoryEvent, type MemoryEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { expect, it, vi } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { useStores } from '../testing/read-model.ts';
import type { Search } from './question/question.ts';
import type { CrossEncoder } from './scoring/cross-encode.ts';
import { search } from './search.ts';
import { searchAgents } from './search-agents.ts';

type Extracted = Recorded<MemoryEventOf<'FactsExtracted'>>;
type Fact = Extracted['data']['facts'][number];

const stores = useStores();

const agent = { space: 'public', agentId: 'alice' };

/** The store of an agent that holds what follows from the events. */
async function storing(...events: readonly Recorded<MemoryEvent>[]) {
  const opened = await stores.open();
  await opened.apply(events);
  const find = async (query: string, more: Partial<Search> = {}) => {
    const defaults = { thinkingBudget: 100, maxTokens: 100_000, factTypes: [], trace: true };
    const request: Search = { ...agent, ...defaults, query, reranker: 'heuristic', questionDate: null, ...more };
    const known = opened.store.contents.remembered.of(agentKey(agent), true);
    const common = { ...(await opened.readable()), embeddings: stores.embeddings, lexical: stores.lexical, known };
    const { results, trace } = await search(common, request);
    const reasons = new Set(trace?.pruned.map(({ reason }) => reason));
    const relevant = results.filter(({ relevance }) => relevance === 'high').map(({ text }) => text);
    return { texts: results.map(({ text }) => text), types: results.map(({ type }) => type), relevant, reasons };
  };
  return { ...opened, find };
}

/** A batch whose facts are changed, by their place in it. */
function changed(event: Extracted, change: (index: number) => Partial<Fact>): Extracted {
  const facts = event.data.facts.map((fact, index) => ({ ...fact, ...change(index) }));
  return { ...event, data: { ...event.data, facts } };
}

const numbered = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, i) => text(i));

it('returns everything of a day to a question that asks for nothing else', async () => {
  const log = createLogWriter();
  const texts = ['Ben ordered four winter tyres.', 'A parcel with seeds came.', 'The choir sang in Bergen.'];
  const before = await log.extracted('earlier', null, 'The roof was mended.');
  const after = await log.extracted('later', null, 'The gate was locked.');
  const { find } = await storing(
    ...(await log.batch('day', null, ...texts)),
    log.submitted('earlier', null, 'x'),
    changed(before, () => ({ eventDate: '2025-12-24T00:00:00.000Z' })),
    log.submitted('later', null, 'x'),
    changed(after, () => ({ eventDate: '2026-01-02T00:00:00.000Z' })),
  );
  // Of these events only the day is known, which is the same day wherever the question is asked.
  for (const offset of ['Z', '-05:00', '+05:00']) {
    const found = await find('What happened yesterday?', { questionDate: `2026-01-02T12:00:00${offset}` });
    expect([offset, found.texts.toSorted()]).toEqual([offset, texts.toSorted()]);
  }
  expect((await find('Which bridges have towers?')).texts).toEqual([]);
});

it('puts what happened at a time before what only has the words of the question', async () => {
  const log = createLogWriter();
  const dated = async (operationId: string, eventDate: string, text: string) => [
    log.submitted(operationId, null, 'x'),
    changed(await log.extracted(operationId, null, text), () => ({ eventDate })),
  ];
  const { find } = await storing(
    ...(await dated('winter', '2026-02-03T00:00:00.000Z', 'Kira: I repaired the bicycle.')),
    ...(await dated('late', '2026-02-04T00:00:00.000Z', 'Ben: I sold my boat.')),
    ...(await dated('spring', '2026-03-05T00:00:00.000Z', 'Kira: I painted the fence in March.')),
    ...(await dated('summer', '2026-06-06T00:00:00.000Z', 'Kira: I swam in the lake.')),
  );
  const questionDate = '2026-06-07T12:00:00Z';
  const before = await find('What happened before March?', { questionDate });
  expect(before.texts.slice(0, 2).toSorted()).toEqual(['Ben: I sold my boat.', 'Kira: I repaired the bicycle.']);
  expect(before.relevant).toEqual(before.texts.slice(0, 2));
  expect((await find('What did I do yesterday?', { questionDate })).relevant).toEqual(['Kira: I swam in the lake.']);
  const ofKira = await find('What has Kira done before March?', { questionDate });
  expect(ofKira.texts[0]).toBe('Kira: I repaired the bicycle.');
  expect(ofKira.relevant).not.toContain('Ben: I sold my boat.');
  const repaired = await find('What was repaired in February?', { questionDate });
  expect(repaired.relevant).toEqual(['Kira: I repaired the bicycle.']);
});

it.each([
  ['What did Kira do before 29 February 2024?', ['Kira: I sold my boat.']],
  ['What did Kira do before 29 February?', ['Kira: I sold my boat.']],
  ['What did Kira do before March?', ['Kira: I painted the fence.', 'Kira: I sold my boat.']],
  ['What did Kira do before May?', ['Kira: I left in March.', 'Kira: I painted the fence.', 'Kira: I sold my boat.']],
  ['What did Kira do on 29 February 2024?', ['Kira: I painted the fence.']],
])('what happened on the day that a question excludes is not relevant: %s', async (query, expected) => {
  const log = createLogWriter();
  const facts = {
    '2024-02-10': 'I sold my boat.',
    '2024-02-29': 'I painted the fence.',
    '2024-03-05': 'I left in March.',
    '2024-05-03': 'I ran in May.',
  };
  const days = Object.keys(facts);
  const texts = Object.values(facts).map((text) => `Kira: ${text}`);
  const extracted = await log.extracted('diary', null, ...texts);
  const { find } = await storing(
    log.submitted('diary', null, 'x'),
    changed(extracted, (index) => ({ eventDate: `${days[index]}T12:00:00.000Z` })),
  );
  const { relevant } = await find(query, { questionDate: '2024-06-01T00:00:00Z' });
  expect(relevant.toSorted()).toEqual(expected);
});

it.each(['What happened on October 12?', 'What happened on 12 October 2025?', 'What happened 12 days ago?'])(
  'does not take another number for that of the day: %s',
  async (query) => {
    const log = createLogWriter();
    const texts = [
      'The roof was mended.',
      'Bus 12 was late again.',
      'Ran 12 km.',
      'We met at 12.',
      'Ana moved on October 12, 12 days before.',
    ];
    const facts = await log.extracted('diary', null, ...texts);
    const days = ['2025-10-12', '2025-09-20', '2025-10-02', '2025-10-03', '2025-10-20'];
    const { find } = await storing(
      log.submitted('diary', null, 'x'),
      changed(facts, (index) => ({ eventDate: `${days[index]}T00:00:00.000Z` })),
    );
    const { relevant } = await find(query, { questionDate: '2025-10-24T12:00:00Z' });
    expect(relevant).toContain('The roof was mended.');
    for (const text of texts.slice(1, 4)) expect(relevant).not.toContain(text);
    if (query.includes('October')) expect(relevant).toContain(texts.at(-1));
  },
);

it('prefers units with the identifier that a question names to those with another one', async () => {
  const log = createLogWriter();
  const others = numbered(12, (number) => `Ticket SUP-11${number + 10} from Ana: the export fails.`);
  const closed = 'Dmitri closed SUP-1205 after the clock was set right.';
  const events: Recorded<MemoryEvent>[] = [];
  for (const [index, text] of [...others, closed].entries()) events.push(...(await log.batch(`${index}`, null, text)));
  const { find } = await storing(...events);
  const found = await find('What is the status of ticket SUP-1205?');
  expect([found.texts[0], found.relevant]).toEqual([closed, [closed]]);
  expect((await find('What is the status of ticket SUP-1206?')).relevant).toEqual([]);
});

/** Turns of a chat, each appended to it. */
async function chat(said: readonly string[]): Promise<Recorded<MemoryEvent>[]> {
  const log = createLogWriter();
  const turns: Recorded<MemoryEvent>[] = [];
  for (const [turn, text] of said.entries()) {
    const [submitted, extracted] = await log.batch(`turn-${turn}`, 'chat', text);
    turns.push(log.appended(submitted), extracted);
  }
  return turns;
}

it('calls an answer relevant although it names another identifier than the question that it follows', async () => {
  const said = [
    'Mia: What happened to ticket SUP-1205?',
    'Tom: Merged into SUP-1300, which Dmitri fixed.',
    'Mia: And what happened to ticket SUP-1101?',
    'Tom: Ticket SUP-1101 was closed.',
  ];
  const { find } = await storing(...(await chat(said)));
  const { relevant } = await find('What happened to ticket SUP-1205?');
  expect(relevant.toSorted()).toEqual(said.slice(0, 2));
});

it('calls relevant what another speaker says right after a question that matches', async () => {
  const said = ['Rosa: Who has the spare key?', 'Imke: Harald', 'Rosa: Lovely weather today.'];
  const { find } = await storing(...(await chat(said)));
  const { relevant } = await find('Who has the spare key?');
  expect(relevant.toSorted()).toEqual(['Imke: Harald', 'Rosa: Who has the spare key?']);
});

it('returns everything of a day, although many units of other days have words of the question', async () => {
  const log = createLogWriter();
  const texts = ['Ben ordered four winter tyres.', 'A parcel with seeds came.', 'The choir sang in Bergen.'];
  const others = numbered(120, (number) => `Yesterday ship ${number} sailed.`);
  const before = await log.extracted('earlier', null, ...others);
  const { find } = await storing(
    log.submitted('earlier', null, 'x'),
    changed(before, () => ({ eventDate: '2025-12-24T00:00:00.000Z' })),
    ...(await log.batch('day', null, ...texts)),
  );
  const asking = { questionDate: '2026-01-02T12:00:00Z' };
  const found = await find('What happened yesterday?', asking);
  expect(found.texts).toEqual(expect.arrayContaining(texts));
  const short = await find('What happened yesterday?', { ...asking, thinkingBudget: 2 });
  expect(texts).toEqual(expect.arrayContaining(short.texts));
  expect([short.texts.length, short.reasons]).toEqual([2, new Set(['thinking_budget'])]);
});

it('returns all units that the budget allows if the score does not matter', async () => {
  const log = createLogWriter();
  const events: Recorded<MemoryEvent>[] = [];
  for (const [index, text] of numbered(50, (number) => `Room ${number} has a blue door.`).entries()) {
    events.push(...(await log.batch(`${index}`, `doc-${index}`, text)));
  }
  const texts = numbered(45, (number) => `Ship ${number} sails on Monday.`);
  const loose = await log.extracted('loose', null, ...texts);
  const { find } = await storing(...events, log.submitted('loose', null, 'x'), loose);
  expect((await find('Which rooms have blue doors?', { minScore: 0 })).texts).toHaveLength(95);
  expect((await find('Who paints?', { minScore: 0 })).texts).toHaveLength(95);
  expect((await find('Who paints?', { minScore: 0, thinkingBudget: 60 })).texts).toHaveLength(60);
});

it('spends no budget on places without a unit if the caller says how good results have to be', async () => {
  const log = createLogWriter();
  const events: Recorded<MemoryEvent>[] = [];
  for (const id of numbered(40, (number) => `${number}`)) {
    const facts = await log.extracted(id, `doc-${id}`, `Did you buy ${id} lemons and limes?`);
    events.push(log.submitted(id, `doc-${id}`, 'x'), facts);
  }
  const loose = await log.extracted('loose', null, ...numbered(60, (number) => `Limes ${number} are green.`));
  const { find } = await storing(...events, log.submitted('loose', null, 'x'), loose);
  expect((await find('Which lemons and limes?', { minScore: 0.01 })).texts).toHaveLength(100);
});

it('spends the budget on units of the types that are asked for', async () => {
  const log = createLogWriter();
  const events: Recorded<MemoryEvent>[] = [];
  const texts = ['Rain fell.', 'Snow fell.', 'I watered the garden.', 'Hail fell.', 'Fog came.'];
  for (const id of numbered(20, (number) => `${number}`)) {
    const facts = await log.extracted(id, id, ...texts);
    events.push(
      log.submitted(id, id, 'x'),
      changed(facts, (item) => ({ item, factType: item === 2 ? 'agent' : 'world' })),
    );
  }
  const others = await log.extracted('loose', null, ...numbered(40, (number) => `I mended roof ${number}.`));
  events.push(
    log.submitted('loose', null, 'x'),
    changed(others, () => ({ factType: 'agent' })),
  );
  const { find } = await storing(...events);
  const found = await find('Who watered gardens?', { minScore: 0, factTypes: ['agent'], thinkingBudget: 60 });
  expect(found.types).toEqual(Array.from({ length: 60 }, () => 'agent'));
});

it('says why a unit is no result', async () => {
  const log = createLogWriter();
  const texts = ['The old lighthouse was painted.', 'The old lighthouse was sold.'];
  const { find } = await storing(...(await log.batch('one', null, ...texts)));
  const found = await find('Who painted the old lighthouse?', { limit: 1 });
  expect([found.texts.length, found.reasons]).toEqual([1, new Set(['limit'])]);
  expect((await find('Which lighthouses?', { minScore: 0.99 })).reasons).toEqual(
    new Set(['too little in common with the question']),
  );
  const short = await find('Who painted the old lighthouse?', { maxTokens: 1 });
  expect([short.texts, short.reasons]).toEqual([[], new Set(['max_tokens'])]);
});

it('does not remember links while units are removed', async () => {
  const log = createLogWriter();
  const numberedTexts = numbered(120, (number) => `Bob sells kite ${number} to Carol.`);
  const { find, apply, maintain, store } = await storing(
    ...(await log.batch('one', 'doc', ...numberedTexts)),
    ...(await log.batch('two', null, 'Bob sells kites to Carol.')),
  );
  await apply([log.deleted('doc')]);
  await find('Which kites does Bob sell to Carol?');
  await maintain();
  const known = store.contents.remembered.of(agentKey(agent), true);
  expect([...(known?.links.values() ?? [])].flat()).toEqual([]);
  expect(known?.unitCount).toBeUndefined();
});

it.each(['find', 'indexed'] as const)(
  'finds a document that is replaced after `%s` of the index, and asks the index twice only then',
  async (step) => {
    const log = createLogWriter();
    const { apply, readable, store } = await storing(...(await log.batch('old', 'doc', 'Bob sells red kites.')));
    const replacement = await log.batch('new', 'doc', 'Bob sells blue kites.');
    const steps: string[] = [];
    const ask = async (whenDone: () => Promise<void> = async () => undefined) => {
      const { vectors } = store.contents;
      const noting =
        <A extends unknown[], R>(name: typeof step, work: (...args: A) => Promise<R>) =>
        async (...args: A) => {
          const done = await work(...args);
          steps.push(name);
          if (name === step) await whenDone();
          return done;
        };
      const noted = { ...vectors, find: noting('find', vectors.find), indexed: noting('indexed', vectors.indexed) };
      const { embeddings, lexical } = stores;
      const known = store.contents.remembered.of(agentKey(agent), true);
      const limits = { thinkingBudget: 100, maxTokens: 4_096, factTypes: [], trace: false, questionDate: null };
      const request: Search = { ...agent, ...limits, query: 'Which kites does Bob sell?', reranker: 'heuristic' };
      const reply = await search({ ...(await readable()), vectors: noted, embeddings, lexical, known }, request);
      return reply.results.map(({ text }) => text);
    };
    let isReplaced = false;
    const replace = async () => {
      if (!isReplaced) await apply(replacement);
      isReplaced = true;
    };
    expect(await ask(replace)).toEqual(['Bob sells blue kites.']);
    expect(steps).toEqual(['find', 'indexed', 'find', 'indexed']);
    steps.length = 0;
    expect(await ask()).toEqual(['Bob sells blue kites.']);
    expect(steps).toEqual(['find', 'indexed']);
  },
);

/** Two agents, the first of which has the better and longer memory. */
async function storingTwo() {
  const opened = await stores.open();
  const texts = { alice: 'Ben repaired the old lighthouse on the island beyond the bay.', ben: 'A lighthouse.' };
  for (const [index, [agentId, text]] of Object.entries(texts).entries()) {
    const log = createLogWriter('public', agentId, 10 * index);
    await opened.apply(await log.batch(agentId, null, text));
  }
  const find = async (more: Partial<Search>, crossEncoder?: CrossEncoder) => {
    const defaults = { thinkingBudget: 100, maxTokens: 4_096, factTypes: [], trace: true, minScore: 0 };
    const query = 'Who repaired the old lighthouse?';
    const request: Search = { ...agent, ...defaults, query, reranker: 'heuristic', questionDate: null, ...more };
    const { embeddings, lexical } = stores;
    const deps = { ...(await opened.readable()), embeddings, lexical, crossEncoder };
    return searchAgents(async () => deps, request, Object.keys(texts));
  };
  return find;
}

it('stops before the best result that does not fit, whichever agent it is of', async () => {
  const find = await storingTwo();
  expect((await find({})).results.map(({ agent_id }) => agent_id)).toEqual(['alice', 'ben']);
  expect((await find({ maxTokens: 5 })).results).toEqual([]);
});

it('says why a unit of one agent is none of the results of all', async () => {
  const find = await storingTwo();
  const reasonsOf = async (more: Partial<Search>) => (await find(more)).trace?.pruned.map(({ reason }) => reason);
  expect(await reasonsOf({})).toEqual([]);
  expect(await reasonsOf({ maxTokens: 5 })).toEqual(['max_tokens', 'max_tokens']);
  expect(await reasonsOf({ limit: 1 })).toEqual(['limit']);
  expect(await reasonsOf({ thinkingBudget: 1 })).toEqual(['thinking_budget']);
});

it('says when the rerank model failed for one of several agents', async () => {
  const find = await storingTwo();
  const score = vi.fn(async (_query: string, texts: readonly string[]) => {
    if (texts[0] === 'A lighthouse.') throw new Error('away');
    return texts.map(() => 0.9);
  });
  const crossEncoder = { reranker: { name: 'test', score }, onFailure: () => undefined };
  const { trace } = await find({ reranker: 'cross-encoder' }, crossEncoder);
  expect(trace?.reranker).toEqual({ asked: 'cross-encoder', used: 'heuristic', reason: 'The rerank model failed' });
});

it('asks no model once the caller has gone', async () => {
  const { readable } = await storing();
  const gone = { ...(await readable()), embeddings: stores.embeddings, lexical: stores.lexical };
  const deps = { ...gone, signal: AbortSignal.abort(new Error('gone')) };
  const defaults = { thinkingBudget: 100, maxTokens: 4_096, factTypes: [], trace: false };
  const request: Search = { ...agent, ...defaults, query: 'Who sang?', reranker: 'heuristic', questionDate: null };
  await expect(search(deps, request)).rejects.toThrow('gone');
  await expect(searchAgents(async () => deps, request, ['alice', 'ben'])).rejects.toThrow('gone');
});
