import { partitionOf } from '@mneme/contracts';
import type { StoredAgent, StoredOperation } from '../read-model/rows.ts';

/** So many rows of each kind are remembered. */
const maxRows = 500;
/** Rows with longer texts are read again rather than kept in memory, in UTF-16 code units. */
const maxTextLength = 4_096;

/** What a batch of events wrote, as far as it is kept. */
export interface WrittenRows {
  readonly agents: ReadonlyMap<string, StoredAgent>;
  readonly operations: ReadonlyMap<string, StoredOperation>;
  /** Agents, by their keys, of which nothing from before stays. */
  readonly erasedAgents: ReadonlyMap<string, unknown>;
}

/**
 * The agents and operations that a projector has written last, so that it need not read them again for the next events.
 * They are true as long as it writes alone. Whether it does shows at the checkpoint: after a batch that could not be
 * written, what belongs to its lanes is to be forgotten.
 */
export class RecentRows {
  readonly #agents = new Map<string, StoredAgent>();
  readonly #operations = new Map<string, StoredOperation>();

  get agents(): ReadonlyMap<string, StoredAgent> {
    return this.#agents;
  }

  get operations(): ReadonlyMap<string, StoredOperation> {
    return this.#operations;
  }

  /** Keeps what was just written. Where an agent was erased, nobody can say which rows were its own. */
  remember({ agents, operations, erasedAgents }: WrittenRows): void {
    if (erasedAgents.size > 0) this.forget();
    for (const agent of agents.values()) keep(this.#agents, agent, agent.background.length);
    for (const operation of operations.values()) keep(this.#operations, operation, operation.pendingText?.length ?? 0);
  }

  forget(): void {
    this.#agents.clear();
    this.#operations.clear();
  }

  /** Forgets what belongs to the agents of a lane. */
  forgetLane(lane: number): void {
    for (const key of this.#agents.keys()) if (partitionOf(key) === lane) this.#agents.delete(key);
    for (const [id, { agentKey }] of this.#operations) {
      if (partitionOf(agentKey) === lane) this.#operations.delete(id);
    }
  }
}

/** A map yields its keys in the order in which they were put in, so that the first one is the oldest. */
function keep<T extends { readonly _id: string }>(rows: Map<string, T>, row: T, textLength: number): void {
  rows.delete(row._id);
  if (textLength > maxTextLength) return;
  rows.set(row._id, row);
  const [oldest] = rows.size > maxRows ? rows.keys() : [];
  if (oldest !== undefined) rows.delete(oldest);
}
