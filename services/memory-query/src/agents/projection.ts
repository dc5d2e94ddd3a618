import { agentKey, defaultBackground, defaultPersonality, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { RecordedOf } from '../projection/recorded-of.ts';
import type { StoredAgent } from '../read-model/rows.ts';
import type { WorkingSet } from '../read-model/working-set.ts';

/** Events that are about an agent by its name. */
type NamingEvent = Recorded<Exclude<MemoryEvent, { type: 'AgentErased' }>>;

/** An agent exists from its first write on, with the defaults. */
export function touchAgent(set: WorkingSet, event: NamingEvent, change: Partial<StoredAgent> = {}): void {
  const key = agentKey(event.data);
  const now = new Date(event.time);
  const agent = set.agents.get(key) ?? newAgent(key, event, now);
  set.agents.set(key, { ...agent, ...change, updatedAt: now });
}

/** The first profile read of an agent that wrote before changes nothing. */
export function createAgent(set: WorkingSet, event: RecordedOf<'AgentCreated'>): void {
  if (!set.agents.has(agentKey(event.data))) touchAgent(set, event);
}

export function replacePersonality(set: WorkingSet, event: RecordedOf<'PersonalityChanged'>): void {
  touchAgent(set, event, { personality: event.data.personality });
}

export function replaceBackground(set: WorkingSet, event: RecordedOf<'BackgroundReplaced' | 'BackgroundMerged'>): void {
  touchAgent(set, event, { background: event.data.background });
}

/** Nothing of the agent is left, neither of what is stored nor of what this batch of events has brought. */
export function eraseAgent(set: WorkingSet, { data: { agentKey: key, space } }: RecordedOf<'AgentErased'>): void {
  set.erasedAgents.set(key, { agentKey: key, space });
  set.agents.delete(key);
  for (const rows of [set.operations, set.documents]) {
    for (const [id, row] of rows) if (row.agentKey === key) rows.delete(id);
  }
  for (const [id, { unit }] of set.newUnits) if (unit.agentKey === key) set.newUnits.delete(id);
}

function newAgent(key: string, { data: { space, agentId } }: NamingEvent, now: Date): StoredAgent {
  const defaults = { personality: defaultPersonality, background: defaultBackground };
  return { _id: key, space, agentId, ...defaults, unitCount: 0, createdAt: now, updatedAt: now };
}
