import { type ListedAgent, MnemeError } from '@mneme/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { queryClient } from '../../app/query-client.ts';
import { guardCaller } from '../../app/session/identity.ts';
import { en } from '../../text/en.ts';

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
    queryFn: ({ signal }) => findAgent(agentId, signal),
  });
}

async function findAgent(agentId: string, signal?: AbortSignal): Promise<ListedAgent | null> {
  for await (const agent of mneme.agents.list({ prefix: agentId, ...(signal && { signal }) })) {
    if (agent.agent_id === agentId) return agent;
  }
  return null;
}

/**
 * The agent as it is now, for a change of it that must not undo what others have changed meanwhile.
 * @throws MnemeError 404 when there is none, whom a change would create anew
 * @throws DOMException `AbortError` when the page acts for another caller by then
 */
export async function presentAgent(agentId: string): Promise<ListedAgent> {
  const assertSameCaller = guardCaller();
  // A read of the page may have begun before a change of others, and gives the former agent when the page is left.
  const agent = await findAgent(agentId);
  assertSameCaller();
  queryClient.setQueryData(agentQuery(agentId).queryKey, agent);
  if (agent) return agent;
  void queryClient.invalidateQueries({ queryKey: ['agents'] });
  throw new MnemeError({ status: 404, code: 'NOT_FOUND', detail: en.agents.missing });
}

export function statsQuery(agentId: string) {
  return queryOptions({
    queryKey: ['agents', 'stats', agentId],
    queryFn: ({ signal }) => mneme.agent(agentId).stats({ signal }),
  });
}
