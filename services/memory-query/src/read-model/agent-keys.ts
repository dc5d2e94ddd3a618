import { agentKeyOf } from '@mneme/contracts';
import { LRUCache } from 'lru-cache';

/** The agent key of the event at a sequence; undefined when it is no event of an agent, or not in the log (any more). */
export type AgentKeyAt = (sequence: number) => Promise<string | undefined>;

export interface AgentKeysDeps {
  /** The subject of the message of the log at a sequence; undefined when there is none (any more). */
  readonly subjectAt: (sequence: number) => Promise<string | undefined>;
  /** The version of the read model that answers. A log that takes the place of another one gets a new version. */
  readonly version: () => number | undefined;
}

const mostRemembered = 1_000;

/**
 * Finds out to which agents events belong. That is remembered, because the subject of an event never changes, and the log
 * tells it only together with the event, which may have 8 MB. That there is no event is not remembered: one may follow.
 */
export function createAgentKeys({ subjectAt, version }: AgentKeysDeps): AgentKeyAt {
  const keys = new LRUCache<string, string, number>({
    max: mostRemembered,
    fetchMethod: async (_key, _stale, { context: sequence }) => agentKeyOf((await subjectAt(sequence)) ?? ''),
    // Who asks gets an answer, also if so many ask that it cannot be remembered.
    ignoreFetchAbort: true,
  });
  return (sequence) => keys.fetch(`${version()}:${sequence}`, { context: sequence });
}
