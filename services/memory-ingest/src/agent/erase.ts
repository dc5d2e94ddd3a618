import {
  type AgentRef,
  agentKey,
  agentKeyOf,
  type MemoryEvent,
  memoryQuery,
  memoryStream,
  memorySubjects,
  type Stats,
  WireError,
} from '@mneme/contracts';
import {
  ConflictError,
  type DeadLetters,
  type Eraser,
  type EventContext,
  type EventStore,
  execute,
  formatPosition,
  type Trace,
} from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import { erasureDecider } from './decider.ts';

export interface EraseAgentDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly client: Client;
  readonly eraser: Eraser;
  readonly deadLetters: DeadLetters;
  /** How long memory-query may take to count, in milliseconds; 7 s unless given. */
  readonly countTimeoutMs?: number;
}

/** How much of an agent was stored when it was erased; units, links and documents are 0 when counting took too long. */
export interface ErasedAgent {
  /** False when an earlier erasure had left nothing; `position` is then that of the earlier one. */
  readonly wasThere: boolean;
  readonly units: number;
  readonly links: number;
  readonly documents: number;
  readonly operations: number;
  readonly events: number;
  readonly position: string;
}

/** Work in progress stops at its first append after the erasure, so the second pass usually finds the last of its events. */
const maxPasses = 30;
/** An erasure of more events takes minutes, in which others use the log too. */
const manyEvents = 200;
/** Longer than the 5 s that the read model may take to reach a position, in milliseconds. */
const defaultCountTimeoutMs = 7_000;

/**
 * Erases an agent: appends the event that makes every read model forget it, then overwrites all earlier events of the agent.
 *
 * A crash in between leaves events before the last `AgentErased`, or dead letters; the next call erases them. Work in
 * progress stores nothing: the revision that it expects is gone, and what it appended just before is erased with its
 * operation.
 * @throws DomainError `agent-not-found` when the log never had an event of the agent
 */
export async function eraseAgent(deps: EraseAgentDeps, agent: AgentRef, context: EventContext): Promise<ErasedAgent> {
  const { counts, erasure } = await recordErasure(deps, agent, context);
  // Also when nothing is left in the log: an earlier call may have ended before the dead letters.
  const events = counts.wasThere ? await eraseBefore(deps.eraser, agent, erasure.sequence) : 0;
  await eraseDeadLetters(deps, agent);
  return { ...counts, events, position: formatPosition(erasure) };
}

/** Erases the copies of what the log does not hold any more. A read model may still wait for what it holds. */
async function eraseDeadLetters({ store, eraser, deadLetters }: EraseAgentDeps, agent: AgentRef): Promise<void> {
  const key = agentKey(agent);
  const upTo = await store.head();
  const held = new Set((await tracesOf(eraser, agent)).map(({ sequence }) => sequence));
  await deadLetters.eraseCopies(
    ({ subject, sequence }) => agentKeyOf(subject) === key && sequence <= upTo && !held.has(sequence),
  );
}

async function recordErasure(deps: EraseAgentDeps, agent: AgentRef, context: EventContext) {
  const begunAt = await deps.store.head();
  let traces: readonly Trace[] = [];
  let counts = nothingLeft;
  let byOther: Trace | undefined;
  const typesInLog = async () => {
    traces = await tracesOf(deps.eraser, agent);
    byOther = traces.findLast(({ type, sequence }) => type === 'AgentErased' && sequence > begunAt);
    // Another request has erased it since this one began. What came afterwards belongs to a new agent.
    if (byOther) return ['AgentErased'];
    counts = await countsOf(deps, agent, traces, context);
    return traces.map(({ type }) => type);
  };
  const command = { type: 'EraseAgent', agent, typesInLog } as const;
  const subject = memorySubjects.agent(agent);
  const { position } = await execute(deps.store, erasureDecider, subject, command, context, { history: 'none' });
  if (position) return { counts, erasure: position };
  const sequence = byOther?.sequence ?? lastOf(traces);
  return { counts: byOther ? counts : nothingLeft, erasure: { stream: memoryStream.name, sequence } };
}

const nothingLeft = { wasThere: false, units: 0, links: 0, documents: 0, operations: 0 };

/** What the read model has of an agent once it has applied all its events. */
async function countsOf(deps: EraseAgentDeps, agent: AgentRef, traces: readonly Trace[], context: EventContext) {
  if (traces.every(({ type }) => type === 'AgentErased')) return nothingLeft;
  const minSequence = lastOf(traces);
  const { client, countTimeoutMs: timeoutMs = defaultCountTimeoutMs } = deps;
  const stats = await client
    .request(memoryQuery.stats, { ...agent, minSequence, isBehindAllowed: true }, { ...context, timeoutMs })
    .catch(uncountedIfLate);
  const operations = new Set(traces.filter((trace) => isOf('operation', trace)).map((trace) => trace.subject)).size;
  const { total_nodes: units, total_links: links, total_documents: documents } = stats;
  return { wasThere: true, units, links, documents, operations };
}

/**
 * While much of an agent is being removed or stored, counting takes long, or the read model does not reach the last event
 * in time; the erasure does not depend on it.
 */
function uncountedIfLate(error: unknown): Pick<Stats, 'total_nodes' | 'total_links' | 'total_documents'> {
  const isLate = error instanceof WireError && (error.status === 504 || error.code === 'READ_MODEL_BEHIND');
  if (!isLate) throw error;
  return { total_nodes: 0, total_links: 0, total_documents: 0 };
}

function lastOf(traces: readonly Trace[]): number {
  return traces.reduce((last, { sequence }) => Math.max(last, sequence), 0);
}

/**
 * Erases the events before the erasure, and those that work begun before it appends afterwards. What is appended about a
 * document stays: the erasure guard keeps it from outliving its agent, and a new agent may have a document of the same name.
 * So does a batch that is submitted anew under the id of an erased one, which the read model gives to the new agent.
 * @returns the number of erased events
 */
async function eraseBefore(eraser: Eraser, agent: AgentRef, erasure: number): Promise<number> {
  const own = memorySubjects.agent(agent);
  const endedSubjects = new Set<string>();
  let erased = 0;
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    const traces = await tracesOf(eraser, agent);
    for (const trace of traces) {
      if (trace.sequence < erasure && trace.subject !== own && !isOf('document', trace))
        endedSubjects.add(trace.subject);
    }
    const begunAnew = submittedAfter(traces, erasure);
    const isLate = ({ subject, sequence }: Trace) =>
      endedSubjects.has(subject) && sequence < (begunAnew.get(subject) ?? Number.POSITIVE_INFINITY);
    const remaining = traces.filter((trace) => trace.sequence < erasure || isLate(trace));
    if (remaining.length === 0) return erased;
    const sequences = remaining.map(({ sequence }) => sequence);
    // The log does one at a time anyway; what others append would stand behind several of them.
    await eraser.erase(sequences, sequences.length > manyEvents ? { atOnce: 1 } : {});
    erased += remaining.length;
  }
  throw new ConflictError(own, erasure);
}

/**
 * Where batches were submitted after the erasure. A submission expects a subject without events, so work on an earlier one
 * of the same id cannot append anything after it.
 */
function submittedAfter(traces: readonly Trace[], erasure: number): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { type, subject, sequence } of traces) {
    if (type === 'BatchSubmitted' && sequence > erasure && !first.has(subject)) first.set(subject, sequence);
  }
  return first;
}

async function tracesOf(eraser: Eraser, agent: AgentRef): Promise<Trace[]> {
  const [own, others] = await Promise.all([
    eraser.find(memorySubjects.agent(agent)),
    eraser.find(memorySubjects.allOf(agent)),
  ]);
  return [...own, ...others];
}

function isOf(kind: 'operation' | 'document', { subject }: Trace): boolean {
  return subject.split('.')[2] === kind;
}
