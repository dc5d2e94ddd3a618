import { type AgentList, type AgentListItem, agentKey, maxAgentIdLength, WireError } from '@mneme/contracts';
import type { Filter } from 'mongodb';
import type { MemoryCollections, StoredAgent } from '../read-model/rows.ts';
import { timestamp } from '../read-model/timestamp.ts';

/** Less than 4 MB, with room for what stands around the agents. */
const maxPageBytes = 3_990_000;
/** The last character of Unicode, which no other one comes after. */
const lastCharacter = '\u{10FFFF}';

export interface ListAgentsQuery {
  readonly space: string;
  /** Only this agent. */
  readonly agentId?: string | undefined;
  readonly prefix?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Where a page ended: the sort key of its last agent. */
interface Place {
  readonly updatedAt: Date;
  readonly id: string;
}

/**
 * A page of the agents of a space, the one changed last first. A page ends at `limit` agents, or earlier before it is
 * 4 MB large; one agent is always on it.
 * @throws WireError 400 when the cursor is none of this function
 */
export async function listAgents({ agents }: MemoryCollections, query: ListAgentsQuery): Promise<AgentList> {
  const wanted = filterOf(query);
  const after = query.cursor === undefined ? {} : following(placeIn(query.cursor));
  const rows = agents
    .find({ $and: [wanted, after] })
    .sort({ updatedAt: -1, _id: 1 })
    .limit(query.limit + 1);
  const [total, page] = await Promise.all([agents.countDocuments(wanted), takePage(rows, query.limit)]);
  return { agents: page.items, total, next_cursor: page.end && cursorOf(page.end) };
}

function filterOf({ space, agentId, prefix = '' }: ListAgentsQuery): Filter<StoredAgent> {
  return {
    ...(agentId === undefined ? { space } : { _id: agentKey({ space, agentId }) }),
    // A range instead of a pattern: it needs no escaping and is answered by the index.
    ...(prefix !== '' && { agentId: { $gte: prefix, $lte: prefix + lastCharacter.repeat(maxAgentIdLength) } }),
  };
}

/** The range is what the index is read by; the alternative tells apart agents of the same millisecond. */
function following({ updatedAt, id }: Place): Filter<StoredAgent> {
  return { updatedAt: { $lte: updatedAt }, $or: [{ updatedAt: { $lt: updatedAt } }, { _id: { $gt: id } }] };
}

interface Page {
  readonly items: AgentListItem[];
  /** Where the next page begins; null when there is none. */
  readonly end: Place | null;
}

async function takePage(rows: AsyncIterable<StoredAgent>, limit: number): Promise<Page> {
  const items: AgentListItem[] = [];
  let bytes = 0;
  let last: StoredAgent | undefined;
  for await (const row of rows) {
    const item = listed(row);
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    const isFull = items.length === limit || bytes > maxPageBytes;
    if (last && isFull) return { items, end: { updatedAt: last.updatedAt, id: last._id } };
    items.push(item);
    last = row;
  }
  return { items, end: null };
}

function listed({ agentId, personality, background, createdAt, updatedAt }: StoredAgent): AgentListItem {
  const times = { created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) };
  return { agent_id: agentId, personality, background, ...times };
}

function cursorOf({ updatedAt, id }: Place): string {
  return Buffer.from(JSON.stringify([updatedAt.getTime(), id])).toString('base64url');
}

function placeIn(cursor: string): Place {
  const [time, id] = partsOf(cursor);
  const updatedAt = new Date(typeof time === 'number' ? time : Number.NaN);
  if (typeof id === 'string' && !Number.isNaN(updatedAt.getTime())) return { updatedAt, id };
  const message = 'Invalid cursor: send the next_cursor of the page before as it was given';
  throw new WireError({ status: 400, code: 'BAD_REQUEST', message });
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
