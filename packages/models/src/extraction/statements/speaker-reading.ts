import type { ItemRole } from '../../ports.ts';
import { type LexiconEntry, limitedLookUp } from '../lexicon.ts';
import { linesOf } from '../sentences.ts';
import { isByRole, monthsLikeNames, type Speaker, type SpeakerReading, speakerOf } from '../speaker.ts';

/** See `ExtractionItem`. */
export interface ItemSpeakers {
  readonly role?: ItemRole | undefined;
  readonly agentName?: string | undefined;
}

const decorated = /^\s*(?:[-*•>#]|\d{1,3}[.)]\s|__)/;
/** `[10:45] Mei: Hello` */
const timed = /^\s*[[(][^\])\n]*\d[:.]\d{2}/;
const user = /^[ \t]*(?:\*\*)?user(?:\*\*)?\s?[:：]/im;
const greeting = '(?:Yes|Yeah|No|Hi|Hello|Hey|Sure|Ok|Okay|Well|Thanks|So|And|But|Oh|Actually|Sorry|Great)';
const beginsWithI = new RegExp(
  String.raw`^(?:${greeting}(?: \p{Lu}\p{L}+)?[,.!]? ){0,2}(?:I|My|We|Our)(?![\p{L}.])`,
  'u',
);
const saysI = /(?<!\p{L})(?:[Ii]|[Mm]y)(?![\p{L}.])/u;
const readLength = 300;

/**
 * A prefix of a line says who speaks, and counts more than the role of the item; but in an item of a user, of a tool or of
 * the system no one speaks as the agent. The agent's own name is the agent.
 *
 * Where the item has a role or the agent speaks by role, as after `assistant:`, most words before a colon are labels:
 * `Flights: TP123`, `- **Backend**: done`. There, only these are speakers: known names of persons, names before several
 * lines that alternate with another one or with a role, names that spoke before the first role, names after a time of day,
 * and names before words in the first person or a question, which must not become those of the agent. A place, or a month such as
 * `April`, is a speaker nowhere else.
 */
export function createSpeakerReading(
  text: string,
  { role, agentName }: ItemSpeakers,
  lexicon: (name: string) => LexiconEntry,
): SpeakerReading {
  const isOthers = role !== undefined && role !== 'assistant';
  const ownName = agentName === undefined ? undefined : nameKey(agentName);
  const lookUp = limitedLookUp(lexicon);
  const hasUsers = user.test(text);
  const spokeFirst = new Set<string>();
  let talking: ReadonlySet<string> | undefined;
  let current = role === undefined ? undefined : speakerByRole(role);
  let isRoleUsed = role !== undefined;

  const isMonth = ({ name }: Speaker) => monthsLikeNames.has(name.toLowerCase());

  function isTalking(found: Speaker): boolean {
    const key = nameKey(found.name);
    if (isByRole(found) || key === ownName) return true;
    talking ??= namesInTurns(text, hasUsers, lookUp);
    return talking.has(key);
  }

  function isCertain(found: Speaker): boolean {
    return (lookUp(found.name)?.type === 'PERSON' && !isMonth(found)) || isTalking(found);
  }

  function isSpeaker(found: Speaker, line: string): boolean {
    const isDecorated = decorated.test(line);
    if (found.isNamed && current !== undefined && !current.isNamed && isDecorated) return false;
    if (isCertain(found) || spokeFirst.has(nameKey(found.name)) || timed.test(line)) return true;
    const said = firstLineOf(line, found);
    if (found.isNamed && beginsWithI.test(said)) return true;
    if (isMonth(found) || lookUp(found.name)?.type === 'PLACE') return false;
    if (current?.isAgent) return saysI.test(said) || (role === undefined && said.includes('?'));
    return !isRoleUsed || (role === undefined && !isDecorated);
  }

  return {
    current: () => current,
    read: (line) => {
      const found = speakerOf(line, hasUsers);
      if (found === undefined || !isSpeaker(found, line)) return undefined;
      isRoleUsed ||= isByRole(found);
      if (!isRoleUsed) spokeFirst.add(nameKey(found.name));
      const isAgent = !isOthers && (found.isAgent || nameKey(found.name) === ownName);
      current = found.isAgent === isAgent ? found : { ...found, isAgent };
      return current;
    },
    isTurn: (line) => {
      const found = speakerOf(line, hasUsers);
      if (found === undefined) return false;
      return isTalking(found) || (found.isNamed && beginsWithI.test(firstLineOf(line, found)));
    },
  };
}

function firstLineOf(line: string, { prefixLength }: Speaker): string {
  return line.slice(prefixLength, prefixLength + readLength).split('\n', 1)[0] ?? '';
}

/**
 * The names before at least two lines of a text, if there are several such names or also roles, persons counting from one
 * line on.
 */
function namesInTurns(
  text: string,
  hasUsers: boolean,
  lookUp: (name: string) => LexiconEntry | undefined,
): ReadonlySet<string> {
  const counts = new Map<string, number>();
  let parties = 0;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const found = decorated.test(line) ? undefined : speakerOf(line, hasUsers);
    if (found === undefined) continue;
    if (isByRole(found)) {
      parties = 1;
      continue;
    }
    const key = nameKey(found.name);
    const lines = lookUp(found.name)?.type === 'PERSON' && !monthsLikeNames.has(key) ? 2 : 1;
    counts.set(key, (counts.get(key) ?? 0) + lines);
  }
  const names = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  return new Set(names.length + parties > 1 ? names : []);
}

function speakerByRole(role: ItemRole): Speaker {
  return { name: '', isAgent: role === 'assistant', isNamed: false, prefixLength: 0 };
}

/** By which names are compared: `travel-desk` speaks as `Travel Desk`. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, ' ');
}
