import { type AgentRef, agentKey } from '@mneme/contracts';
import { late } from '@mneme/read-models';
import type { AgentKeyAt } from './agent-keys.ts';
import type { MemoryContents, MemoryReadModel } from './read-model.ts';
import type { RememberedAgent } from './remembered.ts';
import { findRemovals, type Removals } from './removals.ts';

/** How long a read waits for the position that its caller requests, in milliseconds. */
const positionWaitMs = 5_000;
/**
 * How much of that it waits for all agents of a space, in milliseconds. A client sends the greatest of its positions, and
 * may have written to other agents before; but one of them may be minutes behind with a large document.
 */
const allAgentsWaitMs = 250;

/** What a query reads. */
export interface Readable extends MemoryContents {
  /** Units that are stored but no longer exist. */
  readonly removals: Removals;
  /** The read includes at least all events up to this sequence. */
  readonly readAt: number;
}

/** What a search reads. */
export interface Searchable extends Readable {
  /** What is remembered of the agent; undefined while it is changed. */
  readonly known: RememberedAgent | undefined;
}

export type ReadableRows = Pick<Readable, 'collections' | 'removals'>;

/** What a query requires before it reads. */
export interface ReadRequirement {
  readonly space: string;
  /** Undefined for all agents of the space. */
  readonly agentId?: string | undefined;
  readonly minSequence?: number | undefined;
  /** Whether it may be answered although an event of the agent could not be applied. */
  readonly isBehindAllowed?: boolean | undefined;
}

/** Lets queries read once everything that they require is applied. */
export interface Reads {
  /**
   * Waits until an agent, or a space, can be read as required; throws what the reads would throw. With a position, the other
   * agents of a space are waited for as well, but only for a moment.
   */
  reached(required: ReadRequirement): Promise<void>;
  /**
   * Rows and vectors of one agent.
   * @param minSequence the read waits for it, in the lane of the agent
   * @param isBehindAllowed whether it is read also when an event of the agent could not be applied
   * @throws WireError 503 `READ_MODEL_BEHIND` when that takes longer than 5 s, or an event of the agent could not be
   * applied; `REBUILDING` when no version can answer
   */
  ofAgent(agent: AgentRef, minSequence?: number, isBehindAllowed?: boolean): Promise<Readable>;
  /**
   * The same to search, without waiting for the removals.
   * @param isBackground whether it is a query of the system itself, to which the storing of facts does not give way
   */
  toSearch(
    agent: AgentRef,
    minSequence?: number,
    isBackground?: boolean,
  ): Promise<Omit<Searchable, 'removals'> & { removals: Promise<Removals> }>;
  /** The same for an agent of which only the key is known. */
  ofKey(space: string, agentKey: string, minSequence?: number): Promise<Readable>;
  /**
   * All agents of a space. An agent with an event that could not be applied is as it was before that event.
   * @param minSequence the read waits for the event at this sequence, and for no other agents than that of the event, which
   * `reached` does: it is called before a read takes its turn
   * @throws WireError 503 like `ofAgent`, about the agent of that event
   */
  ofSpace(space: string, minSequence?: number): Promise<Readable>;
}

/** What reads need of the read model. */
export type ReadableModel = Pick<
  MemoryReadModel,
  'assertCurrent' | 'await' | 'contents' | 'isHere' | 'position' | 'status'
>;

export function createReads(readModel: ReadableModel, agentKeyAt: AgentKeyAt): Reads {
  const reach = async (
    sequence: number | undefined,
    aggregate: string,
    options: { readonly isBehindAllowed?: boolean; readonly isBackground?: boolean } = {},
  ) => {
    if (!options.isBehindAllowed) readModel.assertCurrent(aggregate);
    if (sequence === undefined || (await readModel.await(sequence, positionWaitMs, aggregate, options))) return;
    throw late(sequence);
  };
  const isDeferred = (sequence: number) =>
    readModel.status().some(({ deferrals }) => deferrals.some(({ from }) => from <= sequence));
  /** @param allMs how long all agents are waited for, in milliseconds; then it is the agent of the event alone */
  const reachEvent = async (sequence: number | undefined, allMs: number) => {
    if (sequence === undefined) return;
    const deadline = performance.now() + positionWaitMs;
    // Lanes also move past an event that could not be applied; if it is this one, the wait for its agent throws.
    if ((await readModel.await(sequence, allMs)) && !isDeferred(sequence)) return;
    const key = await agentKeyAt(sequence);
    const leftMs = Math.max(0, deadline - performance.now());
    if (!(await readModel.await(sequence, leftMs, key))) throw late(sequence);
  };
  /** The position of a lane that another instance holds is not known, but what was waited for is applied there. */
  const positionOf = (key: string | undefined, reached = 0) => Math.max(readModel.position(key), reached);
  /** @param reached the sequence that the lane of the agent has reached */
  const read = async (space: string, key?: string, reached?: number): Promise<Readable> => {
    const readAt = positionOf(key, reached);
    const contents = readModel.contents();
    const of = key === undefined ? { space } : { space, agentKey: key };
    return { ...contents, readAt, removals: await findRemovals(contents.collections, of) };
  };
  const beginSearch = ({ space }: AgentRef, key: string, reached?: number, isBackground = false) => {
    const readAt = positionOf(key, reached);
    const contents = readModel.contents({ isBackground });
    // Both at the same time: what is read without the removals of a later change must not be remembered after it.
    const known = contents.remembered.of(key, readModel.isHere(key));
    const pending = known?.isExact ? contents.removalsOf(key) : undefined;
    const removals = pending ? Promise.resolve(pending) : findRemovals(contents.collections, { space, agentKey: key });
    // The reader awaits it later, and may fail before; then no one handles a rejection.
    removals.catch(() => undefined);
    return { ...contents, readAt, removals, known };
  };
  return {
    reached: ({ space, agentId, minSequence, isBehindAllowed }) =>
      agentId === undefined
        ? reachEvent(minSequence, allAgentsWaitMs)
        : reach(minSequence, agentKey({ space, agentId }), { isBehindAllowed: isBehindAllowed === true }),
    ofKey: async (space, key, minSequence) => {
      await reach(minSequence, key);
      return read(space, key, minSequence);
    },
    toSearch: async (agent, minSequence, isBackground = false) => {
      const key = agentKey(agent);
      await reach(minSequence, key, { isBackground });
      return beginSearch(agent, key, minSequence, isBackground);
    },
    ofAgent: async (agent, minSequence, isBehindAllowed = false) => {
      const key = agentKey(agent);
      await reach(minSequence, key, { isBehindAllowed });
      return read(agent.space, key, minSequence);
    },
    ofSpace: async (space, minSequence) => {
      await reachEvent(minSequence, 0);
      return read(space);
    },
  };
}
