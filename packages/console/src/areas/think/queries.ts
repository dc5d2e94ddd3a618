import { queryOptions } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';

/** An opinion over time. @param agent whose it is; the server is asked for it unless given */
export function opinionQuery(unitId: string, agent: string | undefined) {
  return queryOptions({
    queryKey: ['think', 'opinion', unitId],
    queryFn: async ({ signal }) => {
      const agentId = agent ?? (await mneme.memory(unitId, { signal })).agent_id;
      return mneme.agent(agentId).memories.opinionHistory(unitId, { signal });
    },
  });
}

export type OpinionHistory = Awaited<ReturnType<ReturnType<typeof mneme.agent>['memories']['opinionHistory']>>;
export type OpinionStep = OpinionHistory['steps'][number];
