import { agentKey, type MemoryEvent } from '@mneme/contracts';
import { type ForgetDeps, finishErasures } from './forget-agents.ts';

/**
 * Sees to it that nothing is stored for an agent, or derived from what it has, while units of an erased one of the same
 * name are left. As long as a projector writes alone it knows whether there are any, and asks only once.
 */
export class UnfinishedErasures {
  readonly #deps: ForgetDeps;
  #arePossible = true;

  constructor(deps: ForgetDeps) {
    this.#deps = deps;
  }

  /** To be called before anything is read for these events. */
  async finishFor(events: readonly MemoryEvent[]): Promise<void> {
    if (!this.#arePossible) return;
    const agentKeys = new Set(events.flatMap((event) => (event.type === 'AgentErased' ? [] : agentKey(event.data))));
    await finishErasures(this.#deps, [...agentKeys]);
    this.#arePossible = (await this.#deps.readModel.collections.erasures.countDocuments({}, { limit: 1 })) > 0;
  }

  /** To be called when this projector has left units, or another one may have. */
  expect(): void {
    this.#arePossible = true;
  }
}
