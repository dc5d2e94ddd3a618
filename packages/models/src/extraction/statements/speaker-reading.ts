import type { ExtractionItem, ItemRole } from '../../ports.ts';
import { type Speaker, speakerOf } from '../speaker.ts';

/** Who speaks in the lines of one item, in order. */
export interface SpeakerReading {
  /** The speaker of the line that was read last. */
  current(): Speaker | undefined;
  /** @returns the speaker whose prefix the line has; undefined when it has none */
  read(line: string): Speaker | undefined;
}

const decorated = /^\s*(?:[-*•>#]|\d{1,3}[.)]\s|__)/;

/**
 * A prefix of a line says who speaks, and counts more than the role of the item; but in an item of a user, of a tool or of
 * the system nobody speaks as the agent. The agent's own name is the agent. Where someone speaks by role, such as
 * `assistant:`, a list entry or bold text before a colon is a label: `- **Backend**: done`.
 */
export function createSpeakerReading({ role, agentName }: Pick<ExtractionItem, 'role' | 'agentName'>): SpeakerReading {
  const isOthers = role !== undefined && role !== 'assistant';
  const ownName = agentName === undefined ? undefined : nameKey(agentName);
  let current = role === undefined ? undefined : speakerByRole(role);
  return {
    current: () => current,
    read: (line) => {
      const found = speakerOf(line);
      if (found === undefined) return undefined;
      if (found.isNamed && current !== undefined && !current.isNamed && decorated.test(line)) return undefined;
      const isAgent = !isOthers && (found.isAgent || nameKey(found.name) === ownName);
      current = found.isAgent === isAgent ? found : { ...found, isAgent };
      return current;
    },
  };
}

function speakerByRole(role: ItemRole): Speaker {
  return { name: '', isAgent: role === 'assistant', isNamed: false, prefixLength: 0 };
}

/** By which names are compared: `travel-desk` speaks as `Travel Desk`. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, ' ');
}
