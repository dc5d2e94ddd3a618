import { type AgentRef, agentKey } from '@mneme/contracts';

/** So many agents are remembered, those heard of last. */
const maxAgents = 10_000;

/**
 * Agents that had no opinions when the read model was at some position: facts from before it bear on nothing. While much is
 * stored, revising is behind the read model, and so is spared asking for each batch.
 */
export class AgentsWithoutOpinions {
  readonly #seen = new Map<string, number>();

  /** @param readAt the sequence up to which the agent was seen to have no opinions */
  remember(agent: AgentRef, readAt: number): void {
    const key = agentKey(agent);
    this.#seen.delete(key);
    this.#seen.set(key, readAt);
    // A map yields its keys in the order in which they were put in, so that the first one is the oldest.
    const [oldest] = this.#seen.size > maxAgents ? this.#seen.keys() : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Whether the agent is known to have had no opinions at a sequence. */
  had(agent: AgentRef, sequence: number): boolean {
    return sequence <= (this.#seen.get(agentKey(agent)) ?? -1);
  }
}
