import { type AgentRef, agentKey } from '@mneme/contracts';
import { behind } from '@mneme/read-models';
import type { MemoryContents } from './memory-contents.ts';
import type { MemoryReadModel } from './read-model.ts';
import { findRemovals, type Removals } from './removals.ts';

/** How long a read waits for the position that its caller asks for, in milliseconds. */
const positionWaitMs = 5_000;

/** What a query reads. */
export interface Readable extends MemoryContents {
  /** What is stored, and not there any more. */
  readonly removals: Removals;
  /** The sequence that the read has seen at least. */
  readonly readAt: number;
}

export type ReadableRows = Pick<Readable, 'collections' | 'removals'>;

/** Lets queries read when everything that they ask for is applied. */
export interface Reads {
  /**
   * @param minSequence waited for, in the lane of the agent
   * @throws WireError 503 `READ_MODEL_BEHIND` when that takes longer than 5 s, or an event of the agent could not be
   * applied; `REBUILDING` when no version can answer
   */
  ofAgent(agent: AgentRef, minSequence?: number): Promise<Readable>;
  /** The same, while it is still being found out what is to be left out. */
  ofAgentSoon(
    agent: AgentRef,
    minSequence?: number,
  ): Promise<Omit<Readable, 'removals'> & { removals: Promise<Removals> }>;
  /** The same without the refusal when an event of the agent could not be applied: what is applied is read. */
  ofAgentAsApplied(agent: AgentRef, minSequence?: number): Promise<Readable>;
  /** The same, for an agent of which only the key is known. */
  ofKey(space: string, agentKey: string, minSequence?: number): Promise<Readable>;
  /** All agents of a space. An agent that waits for an event which could not be applied is as it was before that. */
  ofSpace(space: string, minSequence?: number): Promise<Readable>;
}

export function createReads(readModel: MemoryReadModel): Reads {
  const reach = async (sequence: number | undefined, aggregate?: string, isBehindAllowed = false) => {
    if (aggregate !== undefined && !isBehindAllowed) readModel.assertCurrent(aggregate);
    const options = { isBehindAllowed };
    if (sequence === undefined || (await readModel.await(sequence, positionWaitMs, aggregate, options))) return;
    throw behind(`The read model has not applied event ${sequence} yet; try again`);
  };
  const begin = (space: string, key?: string) => {
    const readAt = readModel.position(key);
    const contents = readModel.contents();
    const of = key === undefined ? { space } : { space, agentKey: key };
    return { ...contents, readAt, removals: findRemovals(contents.collections, of) };
  };
  const read = async (space: string, key?: string): Promise<Readable> => {
    const begun = begin(space, key);
    return { ...begun, removals: await begun.removals };
  };
  const ofKey: Reads['ofKey'] = async (space, key, minSequence) => {
    await reach(minSequence, key);
    return read(space, key);
  };
  return {
    ofKey,
    ofAgentSoon: async (agent, minSequence) => {
      const key = agentKey(agent);
      await reach(minSequence, key);
      return begin(agent.space, key);
    },
    ofAgentAsApplied: async (agent, minSequence) => {
      const key = agentKey(agent);
      await reach(minSequence, key, true);
      return read(agent.space, key);
    },
    ofAgent: (agent, minSequence) => ofKey(agent.space, agentKey(agent), minSequence),
    ofSpace: async (space, minSequence) => {
      await reach(minSequence);
      return read(space);
    },
  };
}
