import { queryOptions } from '@tanstack/react-query';
import { startOfDay } from '../../app/address-fields.ts';
import { mneme } from '../../app/client.ts';

/** The most links that are loaded, the strongest. */
export const maxLinks = 5_000;

/** Which memories are loaded: the newest of those, where there are more than can be shown. */
export interface Loaded {
  /** Days in the reader's zone. */
  readonly from?: string | undefined;
  /** The day after the last one. */
  readonly to?: string | undefined;
  readonly entity?: string | undefined;
}

export function graphQuery(agentId: string, { from, to, entity }: Loaded) {
  return queryOptions({
    queryKey: ['graph', agentId, { from, to, entity }],
    queryFn: ({ signal }) =>
      mneme
        .agent(agentId)
        .graph({ since: startOfDay(from), until: startOfDay(to), entity, edgeLimit: maxLinks, signal }),
  });
}
