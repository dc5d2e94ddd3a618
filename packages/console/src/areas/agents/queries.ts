import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';

const pageSize = 50;

/** @param part of their names */
export function agentsQuery(part: string) {
  return infiniteQueryOptions({
    queryKey: ['agents', 'list', part],
    queryFn: ({ pageParam, signal }) =>
      mneme.agents.page({ counts: true, limit: pageSize, cursor: pageParam, signal, ...(part !== '' && { q: part }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** The agent; null if there is none, since asking for a profile would create one. */
export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: ['agents', 'one', agentId],
    queryFn: async ({ signal }) => {
      for await (const agent of mneme.agents.list({ prefix: agentId, signal })) {
        if (agent.agent_id === agentId) return agent;
      }
      return null;
    },
  });
}

export function statsQuery(agentId: string) {
  return queryOptions({
    queryKey: ['agents', 'stats', agentId],
    queryFn: ({ signal }) => mneme.agent(agentId).stats({ signal }),
  });
}
