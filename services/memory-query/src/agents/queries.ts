import { setTimeout as pause } from 'node:timers/promises';
import {
  type AgentList,
  type AgentListItem,
  agentKey,
  defaultBackground,
  defaultPersonality,
  maxAgentIdLength,
  maxCountedAgents,
  type memoryQuery,
  type RequestOf,
} from '@mneme/contracts';
import type { AgentCharacter } from '@mneme/models';
import type { Filter } from 'mongodb';
import { DomainError } from '../errors.ts';
import { countBy, literalPattern } from '../read-model/mongo-queries.ts';
import type { MemoryReadModel } from '../read-model/read-model.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { erasedAgents, removalId, removedUnits } from '../read-model/removals.ts';
import { type MemoryCollections, type StoredAgent, timestamp, unitIndexes } from '../read-model/rows.ts';
import { inSnapshot } from '../read-model/snapshot.ts';
import { maxReplyBytes } from '../units/shown-units.ts';

/** The last character of Unicode, after which no other one sorts. */
const lastCharacter = '\u{10FFFF}';

export type ListAgentsQuery = RequestOf<typeof memoryQuery.listAgents>;

/** The end of a page: the sort key of its last agent. */
interface PageEnd {
  readonly updatedAt: Date;
  readonly id: string;
}

/**
 * A page of the agents of a space, most recently changed first. It has at most `limit` agents and 4 MB, but at least one
 * agent.
 * @throws DomainError `cursor-invalid` when the cursor does not come from this function
 */
export async function listAgents(readable: ReadableRows, query: ListAgentsQuery): Promise<AgentList> {
  const { agents } = readable.collections;
  const limit = query.counts ? Math.min(query.limit, maxCountedAgents) : query.limit;
  const wanted = filterOf(query);
  const after = query.cursor === undefined ? {} : following(pageEndIn(query.cursor));
  const rows = agents
    .find({ $and: [wanted, after] })
    .sort({ updatedAt: -1, _id: 1 })
    .limit(limit + 1);
  const [total, page] = await Promise.all([agents.countDocuments(wanted), takePage(rows, limit)]);
  const items = query.counts ? await withCounts(readable, query.space, page.items) : page.items;
  return { agents: items, total, next_cursor: page.end && cursorOf(page.end) };
}

/** Counts what each agent of a page has. */
async function withCounts(
  readable: ReadableRows,
  space: string,
  items: readonly AgentListItem[],
): Promise<AgentListItem[]> {
  return inSnapshot(readable, { space }, async ({ collections, removals, session }) => {
    const { units, documents } = collections;
    const erased = new Set(erasedAgents(removals));
    const keyed = items.map((item) => ({ item, key: agentKey({ space, agentId: item.agent_id }) }));
    const keys = new Set(keyed.map(({ key }) => key)).difference(erased);
    const agents = { agentKey: { $in: [...keys] } };
    const ofDocuments = removedUnits(removals.filter(({ agentKey: key }) => keys.has(key)));
    const stored = await countBy(units, agents, 'agentKey', { session, hint: unitIndexes.ofAgent });
    const removed = await countBy(units, ofDocuments, 'agentKey', { session, hint: unitIndexes.ofDocument });
    const ofAgents = await countBy(documents, { ...agents, isDeleted: false }, 'agentKey', { session });
    return keyed.map(({ item, key }) => ({
      ...item,
      memory_unit_count: (stored.get(key) ?? 0) - (removed.get(key) ?? 0),
      document_count: ofAgents.get(key) ?? 0,
    }));
  });
}

/** The personality and background of an agent; the defaults for an agent that does not exist. */
export async function characterOf({ agents }: MemoryCollections, agentKey: string): Promise<AgentCharacter> {
  const agent = await agents.findOne({ _id: agentKey }, { projection: { personality: 1, background: 1 } });
  return {
    personality: agent?.personality ?? defaultPersonality,
    background: agent?.background ?? defaultBackground,
  };
}

const pollMs = 50;

/** Waits until no version of the read model stores anything of an erased agent. */
export async function awaitErasure(
  readModel: MemoryReadModel,
  { sequence, waitMs, ...agent }: RequestOf<typeof memoryQuery.awaitErasure>,
): Promise<{ isDone: boolean }> {
  const deadline = performance.now() + waitMs;
  const key = agentKey(agent);
  if (!(await readModel.awaitAllVersions(sequence, waitMs, key))) return { isDone: false };
  for (;;) {
    const _id = removalId(key, null);
    const left = readModel
      .allContents()
      .map(({ collections }) => collections.removals.countDocuments({ _id }, { limit: 1 }));
    if ((await Promise.all(left)).every((count) => count === 0)) return { isDone: true };
    if (performance.now() > deadline) return { isDone: false };
    await pause(pollMs);
  }
}

function filterOf({ space, agentId, prefix = '', q = '' }: ListAgentsQuery): Filter<StoredAgent> {
  return {
    ...(agentId === undefined ? { space } : { _id: agentKey({ space, agentId }) }),
    ...(q !== '' && { $and: [{ agentId: { $regex: literalPattern(q), $options: 'i' } }] }),
    // A range instead of a regular expression: it needs no escaping and is answered by the index.
    ...(prefix !== '' && { agentId: { $gte: prefix, $lte: prefix + lastCharacter.repeat(maxAgentIdLength) } }),
  };
}

/** The range selects the part of the index to read; the alternative distinguishes agents of the same millisecond. */
function following({ updatedAt, id }: PageEnd): Filter<StoredAgent> {
  return { updatedAt: { $lte: updatedAt }, $or: [{ updatedAt: { $lt: updatedAt } }, { _id: { $gt: id } }] };
}

interface Page {
  readonly items: AgentListItem[];
  /** Where the next page begins; null when there is none. */
  readonly end: PageEnd | null;
}

async function takePage(rows: AsyncIterable<StoredAgent>, limit: number): Promise<Page> {
  const items: AgentListItem[] = [];
  let bytes = 0;
  let last: StoredAgent | undefined;
  for await (const row of rows) {
    const item = listed(row);
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    const isFull = items.length === limit || bytes > maxReplyBytes;
    if (last && isFull) return { items, end: { updatedAt: last.updatedAt, id: last._id } };
    items.push(item);
    last = row;
  }
  return { items, end: null };
}

function listed({ agentId, personality, background, createdAt, updatedAt }: StoredAgent): AgentListItem {
  return {
    agent_id: agentId,
    personality,
    background,
    created_at: timestamp(createdAt),
    updated_at: timestamp(updatedAt),
  };
}

function cursorOf({ updatedAt, id }: PageEnd): string {
  return Buffer.from(JSON.stringify([updatedAt.getTime(), id])).toString('base64url');
}

function pageEndIn(cursor: string): PageEnd {
  const [time, id] = partsOf(cursor);
  const updatedAt = new Date(typeof time === 'number' ? time : Number.NaN);
  if (typeof id === 'string' && !Number.isNaN(updatedAt.getTime())) return { updatedAt, id };
  throw new DomainError('cursor-invalid');
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
