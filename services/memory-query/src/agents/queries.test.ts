import { agentKey, defaultPersonality } from '@mneme/contracts';
import type { Db } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MemoryCollections } from '../read-model/rows.ts';
import { useStores } from '../testing/read-model.ts';
import { type ListAgentsQuery, listAgents } from './queries.ts';

const stores = useStores();
let collections: MemoryCollections;
let db: Db;

beforeEach(async () => {
  const opened = await stores.open();
  ({ collections } = opened.readModel);
  db = opened.db;
});

const hour = Date.parse('2026-01-01T00:00:00Z');

/** @param minute when it was changed last; several may share one */
function agent(agentId: string, minute: number, background = '', space = '5') {
  const updatedAt = new Date(hour + minute * 60_000);
  const standing = { personality: defaultPersonality, background, unitCount: 0 };
  return { _id: agentKey({ space, agentId }), space, agentId, ...standing, createdAt: new Date(hour), updatedAt };
}

const list = (query: Partial<ListAgentsQuery> = {}) =>
  listAgents({ collections, removals: [] }, { space: '5', limit: 100, ...query });

/** All pages, one after the other. */
async function pagesOf(query: Partial<ListAgentsQuery>) {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor) {
    pages.push(await list({ ...query, cursor }));
  }
  return pages;
}

describe('agents in pages', () => {
  beforeEach(async () => {
    const names = Array.from({ length: 25 }, (_, index) => `agent-${index}`);
    // Five at a time were changed within the same millisecond.
    await collections.agents.insertMany(names.map((name, index) => agent(name, Math.floor(index / 5))));
    await collections.agents.insertOne(agent('elsewhere', 9, '', '6'));
  });

  it('are each on exactly one page, most recently changed first, with the exact total', async () => {
    const whole = (await list()).agents.map(({ agent_id }) => agent_id);
    expect(new Set(whole).size).toBe(25);
    const pages = await pagesOf({ limit: 4 });
    expect(pages.map(({ agents }) => agents.length)).toEqual([4, 4, 4, 4, 4, 4, 1]);
    expect(pages.flatMap(({ agents }) => agents.map(({ agent_id }) => agent_id))).toEqual(whole);
    for (const { total } of pages) expect(total).toBe(25);
    const times = pages.flatMap(({ agents }) => agents.map(({ updated_at }) => updated_at));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('end without a cursor when the last page is full', async () => {
    expect((await pagesOf({ limit: 5 })).map(({ agents }) => agents.length)).toEqual([5, 5, 5, 5, 5]);
    expect((await list({ limit: 25 })).next_cursor).toBeNull();
  });

  it('keep their place while others are created, changed and erased', async () => {
    const first = await list({ limit: 10 });
    const second = await list({ limit: 10, cursor: first.next_cursor ?? '' });
    await collections.agents.insertOne(agent('new', 60));
    const last = first.agents.at(-1)?.agent_id ?? '';
    await collections.agents.deleteOne({ _id: agentKey({ space: '5', agentId: last }) });
    expect((await list({ limit: 10, cursor: first.next_cursor ?? '' })).agents).toEqual(second.agents);
  });

  it('are found by a case-sensitive prefix of their id, with a total of their own', async () => {
    const { agents, total } = await list({ prefix: 'agent-1', limit: 3 });
    expect(agents).toHaveLength(3);
    expect(total).toBe(11);
    expect((await list({ prefix: 'Agent' })).total).toBe(0);
    for (const prefix of ['.*', '^agent', 'agent-1\u0000', '(']) expect((await list({ prefix })).total).toBe(0);
    expect((await list({ prefix: '' })).total).toBe(25);
  });

  it('are read by an index', async () => {
    const { next_cursor } = await list({ limit: 10 });
    await db.command({ profile: 2 });
    await list({ limit: 10, cursor: next_cursor ?? '' });
    await db.command({ profile: 0 });
    const ran = await db.collection('system.profile').find({ ns: collections.agents.namespace }).toArray();
    expect(ran.map(({ planSummary }) => String(planSummary))).toEqual([
      expect.stringMatching(/IXSCAN|COUNT_SCAN/),
      expect.stringMatching(/IXSCAN|COUNT_SCAN/),
    ]);
    for (const { hasSortStage } of ran) expect(hasSortStage ?? false).toBe(false);
  });

  it.each(['', 'x', 'e30', Buffer.from('[1]').toString('base64url'), Buffer.from('["a","b"]').toString('base64url')])(
    'are refused for the cursor %j',
    async (cursor) => {
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'cursor-invalid' });
    },
  );
});

describe('a page', () => {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  it('ends before 4 MB, and the next one continues', async () => {
    const background = 'é'.repeat(32 * 1_024);
    await collections.agents.insertMany(
      Array.from({ length: 130 }, (_, index) => agent(`a${index}`, index, background)),
    );
    const pages = await pagesOf({ limit: 1_000 });
    expect(pages.length).toBe(3);
    for (const page of pages) expect(bytesOf(page)).toBeLessThan(4_000_000);
    expect(pages.flatMap(({ agents }) => agents)).toHaveLength(130);
  });

  it('has one agent even if that alone is larger', async () => {
    const background = 'x'.repeat(4_500_000);
    await collections.agents.insertMany([agent('a', 2), agent('large', 1, background), agent('b', 0)]);
    const pages = await pagesOf({});
    expect(pages.map(({ agents }) => agents.map(({ agent_id }) => agent_id))).toEqual([['a'], ['large'], ['b']]);
  });
});
