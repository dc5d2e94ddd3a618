import type { ItemRole } from '../../ports.ts';
import { type LexiconEntry, limitedLookUp } from '../lexicon.ts';
import { linesOf } from '../sentences.ts';
import { isByRole, type Speaker, type SpeakerReading, speakerOf } from '../speaker.ts';

/** See `ExtractionItem`. */
export interface ItemSpeakers {
  readonly role?: ItemRole | undefined;
  readonly agentName?: string | undefined;
}

const decorated = /^\s*(?:[-*•>#]|\d{1,3}[.)]\s|__)/;

/**
 * A prefix of a line says who speaks, and counts more than the role of the item; but in an item of a user, of a tool or of
 * the system nobody speaks as the agent. The agent's own name is the agent.
 *
 * Where the item has a role or someone speaks by role, such as `assistant:`, most words before a colon are labels:
 * `Flights: TP123`, `- **Backend**: done`. There, only known names of persons are speakers, and names before several
 * lines that alternate with another one. A place is a speaker nowhere else.
 */
export function createSpeakerReading(
  text: string,
  { role, agentName }: ItemSpeakers,
  lexicon: (name: string) => LexiconEntry,
): SpeakerReading {
  const isOthers = role !== undefined && role !== 'assistant';
  const ownName = agentName === undefined ? undefined : nameKey(agentName);
  const lookUp = limitedLookUp(lexicon);
  let talking: ReadonlySet<string> | undefined;
  let current = role === undefined ? undefined : speakerByRole(role);
  let isRoleUsed = role !== undefined;

  function isCertain(found: Speaker): boolean {
    const key = nameKey(found.name);
    if (isByRole(found) || key === ownName || lookUp(found.name)?.type === 'PERSON') return true;
    talking ??= namesInTurns(text, lookUp);
    return talking.has(key);
  }

  function isSpeaker(found: Speaker, line: string): boolean {
    if (found.isNamed && current !== undefined && !current.isNamed && decorated.test(line)) return false;
    return isCertain(found) || (!isRoleUsed && lookUp(found.name)?.type !== 'PLACE');
  }

  return {
    current: () => current,
    read: (line) => {
      const found = speakerOf(line);
      if (found === undefined || !isSpeaker(found, line)) return undefined;
      isRoleUsed ||= isByRole(found);
      const isAgent = !isOthers && (found.isAgent || nameKey(found.name) === ownName);
      current = found.isAgent === isAgent ? found : { ...found, isAgent };
      return current;
    },
    isTurn: (line) => {
      const found = speakerOf(line);
      return found !== undefined && isCertain(found);
    },
  };
}

/** The names before at least two lines of a text, if there are several such names, persons counting from one line on. */
function namesInTurns(text: string, lookUp: (name: string) => LexiconEntry | undefined): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const found = decorated.test(line) ? undefined : speakerOf(line);
    if (found === undefined || isByRole(found)) continue;
    const key = nameKey(found.name);
    const lines = lookUp(found.name)?.type === 'PERSON' ? 2 : 1;
    counts.set(key, (counts.get(key) ?? 0) + lines);
  }
  const names = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  return new Set(names.length > 1 ? names : []);
}

function speakerByRole(role: ItemRole): Speaker {
  return { name: '', isAgent: role === 'assistant', isNamed: false, prefixLength: 0 };
}

/** By which names are compared: `travel-desk` speaks as `Travel Desk`. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, ' ');
}
