import { agentKey, defaultBackground, defaultPersonality, type MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { RecordedOf } from '../projection/recorded-of.ts';
import type { WorkingSet } from '../projection/working-set.ts';
import type { StoredAgent } from '../read-model/collections.ts';

/** An agent exists from its first write on, with the defaults. */
export function touchAgent(set: WorkingSet, event: Recorded<MemoryEvent>, change: Partial<StoredAgent> = {}): void {
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

export function replaceBackground(set: WorkingSet, event: RecordedOf<'BackgroundReplaced'>): void {
  touchAgent(set, event, { background: event.data.background });
}

function newAgent(key: string, { data: { space, agentId } }: Recorded<MemoryEvent>, now: Date): StoredAgent {
  const defaults = { personality: defaultPersonality, background: defaultBackground };
  return { _id: key, space, agentId, ...defaults, unitCount: 0, createdAt: now, updatedAt: now };
}
