import type { Connection } from '../http/connection.ts';
import type { ReadOptions } from '../http/request.ts';
import { byLastChange, type List, type PagingOptions } from '../paging.ts';
import { given, type ListedAgent } from '../schemas.ts';

export interface ListAgentsOptions extends ReadOptions, PagingOptions {
  /** The beginning of the agents' names. */
  readonly prefix?: string | undefined;
  /** A part of the agents' names, ignoring case. */
  readonly q?: string | undefined;
  /** Count the memories and documents of each agent. */
  readonly counts?: boolean | undefined;
}

/** The agents of a space. What one agent does and has is at `mneme.agent(id)`. */
export type Agents = ReturnType<typeof agentsOf>;

export interface AgentsPageOptions extends ReadOptions {
  /** The beginning of the agents' names. */
  readonly prefix?: string | undefined;
  /** A part of the agents' names, ignoring case. */
  readonly q?: string | undefined;
  /** Whether each agent comes with the numbers of its memories and documents; 100 agents at most then. */
  readonly counts?: boolean | undefined;
  /** The most agents, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before, with the same `prefix` and `q`. Default: the first page. */
  readonly cursor?: string | undefined;
}

export function agentsOf({ call }: Connection) {
  return {
    /** One page of `list`, with the number of all agents; for programs that show pages. */
    page: ({ prefix, q, counts, limit, cursor, ...options }: AgentsPageOptions = {}) =>
      call('get', '/api/agents', { query: given({ prefix, q, counts, limit, cursor }) }, options),
    /** All agents, those first that were changed last; after them, those that were changed while they were read. */
    list: ({ prefix, q, counts, pageSize, ...options }: ListAgentsOptions = {}): List<ListedAgent> =>
      byLastChange(
        async (cursor) => {
          const query = given({ prefix, q, counts, limit: pageSize, cursor });
          const { agents, next_cursor } = await call('get', '/api/agents', { query }, options);
          return { items: agents, next: next_cursor };
        },
        ({ agent_id, updated_at, created_at }) => {
          return { id: agent_id, changedAt: timeOf(updated_at), createdAt: timeOf(created_at) };
        },
      ),
  };
}

function timeOf(time: string | null | undefined): number {
  return Date.parse(time ?? '') || 0;
}
