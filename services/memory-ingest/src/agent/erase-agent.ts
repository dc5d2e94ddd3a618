import {
  type AgentRef,
  agentKey,
  agentKeyOf,
  type MemoryEvent,
  memoryQuery,
  memoryStream,
  memorySubjects,
} from '@mneme/contracts';
import {
  ConflictError,
  type Eraser,
  type EventContext,
  type EventStore,
  formatPosition,
  type ParkedEvents,
  type Trace,
} from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { DomainError } from '../errors.ts';

export interface EraseAgentDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
  readonly eraser: Eraser;
  readonly parked: ParkedEvents;
}

/** How much of an agent was there when it was erased. */
export interface ErasedAgent {
  /** False when an earlier erasure had left nothing; `position` is then that of the earlier. */
  readonly wasThere: boolean;
  readonly units: number;
  readonly links: number;
  readonly documents: number;
  readonly operations: number;
  readonly events: number;
  readonly position: string;
}

const maxRounds = 3;
/** Work under way ends at its first write after the erasure, so that a second look finds the last of it. */
const maxLooks = 10;
/** Longer than the 5 s that the read model may take to be where it has to be. */
const queryTimeoutMs = 7_000;

/**
 * Erases an agent: first the event that lets every read model forget it, then everything before that event, byte by byte.
 *
 * A crash in between leaves events before the last `AgentErased`; calling again erases them. Work under way stores
 * nothing: the revision that it expects is gone, and what it wrote just before is erased with its operation.
 * @throws DomainError `agent-not-found` when the log never had anything of the agent.
 */
export async function eraseAgent(deps: EraseAgentDeps, agent: AgentRef, context: EventContext): Promise<ErasedAgent> {
  for (let round = 1; ; round += 1) {
    try {
      const { counts, erasure } = await recordErasure(deps, agent, context);
      if (!counts.wasThere) return { ...counts, events: 0, position: formatPosition(erasure) };
      const events = await eraseBefore(deps.eraser, agent, erasure.sequence);
      const key = agentKey(agent);
      await deps.parked.eraseCopies((subject) => agentKeyOf(subject) === key);
      return { ...counts, events, position: formatPosition(erasure) };
    } catch (error) {
      if (!(error instanceof ConflictError) || round === maxRounds) throw error;
    }
  }
}

async function recordErasure({ store, client, eraser }: EraseAgentDeps, agent: AgentRef, context: EventContext) {
  const subject = memorySubjects.agent(agent);
  const traces = await tracesOf(eraser, agent);
  if (traces.length === 0) throw new DomainError('agent-not-found', 'Agent not found');
  const minSequence = traces.reduce((last, { sequence }) => Math.max(last, sequence), 0);
  if (traces.every(({ type }) => type === 'AgentErased')) return erasedBefore(minSequence);
  const { space, agentId } = agent;
  const stats = await client.call(
    memoryQuery.stats,
    { space, agentId, minSequence },
    { ...context, deadlineMs: queryTimeoutMs },
  );
  const operations = new Set(traces.filter(isOfOperation).map((trace) => trace.subject)).size;
  const counts = {
    wasThere: true,
    units: stats.total_nodes,
    links: stats.total_links,
    documents: stats.total_documents,
    operations,
  };
  const erased: MemoryEvent = { type: 'AgentErased', data: { space, agentKey: agentKey(agent) } };
  const revision = traces.findLast((trace) => trace.subject === subject)?.sequence ?? 0;
  return { counts, erasure: await store.append(subject, [erased], revision, context) };
}

function erasedBefore(sequence: number) {
  const counts = { wasThere: false, units: 0, links: 0, documents: 0, operations: 0 };
  return { counts, erasure: { stream: memoryStream.name, sequence } };
}

/**
 * Erases what stands before the erasure, and what is written behind it by work that began before.
 * @returns how many events that were
 */
async function eraseBefore(eraser: Eraser, agent: AgentRef, erasure: number): Promise<number> {
  const own = memorySubjects.agent(agent);
  const ended = new Set<string>();
  let erased = 0;
  for (let look = 1; look <= maxLooks; look += 1) {
    const traces = await tracesOf(eraser, agent);
    for (const { subject, sequence } of traces) if (sequence < erasure && subject !== own) ended.add(subject);
    const doomed = traces.filter(({ subject, sequence }) => sequence < erasure || ended.has(subject));
    if (doomed.length === 0) return erased;
    await eraser.erase(doomed.map(({ sequence }) => sequence));
    erased += doomed.length;
  }
  throw new ConflictError(own, erasure);
}

async function tracesOf(eraser: Eraser, agent: AgentRef): Promise<Trace[]> {
  const [own, others] = await Promise.all([
    eraser.find(memorySubjects.agent(agent)),
    eraser.find(memorySubjects.allOf(agent)),
  ]);
  return [...own, ...others];
}

function isOfOperation({ subject }: Trace): boolean {
  return subject.split('.')[2] === 'operation';
}
