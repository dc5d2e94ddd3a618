import { agentKey, defaultBackground, defaultPersonality, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { StoredAgent } from '../read-model/rows.ts';
import type { RecordedOf, WorkingSet } from '../read-model/working-set.ts';

/** Events that hold the id of the agent. */
type NamingEvent = Recorded<Exclude<MemoryEvent, { type: 'AgentErased' }>>;

/** An agent exists from its first event on, with the defaults. */
export function touchAgent(set: WorkingSet, event: NamingEvent, change: Partial<StoredAgent> = {}): void {
  const key = agentKey(event.data);
  const now = new Date(event.time);
  const agent = set.agents.get(key) ?? newAgent(key, event, now);
  set.agents.set(key, { ...agent, ...change, updatedAt: now });
}

export function onQuestionAnswered(set: WorkingSet, event: RecordedOf<'QuestionAnswered'>): void {
  if (!hasOutlivedAgent(set, event)) touchAgent(set, event);
}

/**
 * Whether a thought is of an agent that was erased while it was being recorded: its agent existed in the log before it, and
 * does not any more. A thought of an earlier release, which has no `readAt`, may be the first event of its agent.
 */
export function hasOutlivedAgent(
  { agents }: WorkingSet,
  { data }: RecordedOf<'QuestionAnswered' | 'OpinionsFormed'>,
): boolean {
  return data.readAt !== undefined && !agents.has(agentKey(data));
}

/** Changes nothing for an agent that exists because of an earlier event. */
export function onAgentCreated(set: WorkingSet, event: RecordedOf<'AgentCreated'>): void {
  if (!set.agents.has(agentKey(event.data))) touchAgent(set, event);
}

export function onPersonalityChanged(set: WorkingSet, event: RecordedOf<'PersonalityChanged'>): void {
  touchAgent(set, event, { personality: event.data.personality });
}

export function onBackgroundChanged(
  set: WorkingSet,
  event: RecordedOf<'BackgroundReplaced' | 'BackgroundMerged'>,
): void {
  touchAgent(set, event, { background: event.data.background });
}

/** Removes everything of the agent, stored or from earlier events of this batch. */
export function onAgentErased(set: WorkingSet, { data: { agentKey: key, space } }: RecordedOf<'AgentErased'>): void {
  set.erasedAgents.set(key, { agentKey: key, space });
  set.agents.delete(key);
  for (const rows of [set.operations, set.documents, set.newTurns]) {
    for (const [id, row] of rows) if (row.agentKey === key) rows.delete(id);
  }
  for (const [id, { unit }] of set.newUnits) if (unit.agentKey === key) set.newUnits.delete(id);
}

function newAgent(key: string, { data: { space, agentId } }: NamingEvent, now: Date): StoredAgent {
  return {
    _id: key,
    space,
    agentId,
    personality: defaultPersonality,
    background: defaultBackground,
    unitCount: 0,
    createdAt: now,
    updatedAt: now,
  };
}
