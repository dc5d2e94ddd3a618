import { agentSpeakers, labels, roleSpeakers } from './speaker-words.ts';

/** Who says a line: `Anna: I moved to Rome.` */
export interface Speaker {
  readonly name: string;
  /** The words of a person are never taken for the agent's own. */
  readonly isAgent: boolean;
  /** A name, not a part such as `User`. */
  readonly isNamed: boolean;
  /** What follows the prefix begins here, counted from the start of the line. */
  readonly prefixLength: number;
}

const longestPrefix = 120;
const decoration = String.raw`\s*(?:[-*>•]\s+)?(?:[\[(][^\])\n]{1,40}[\])]\s*)?(?:\*\*|__)?`;
const properName = String.raw`\p{Lu}[\p{L}\p{M}\p{N}'’.-]{0,29}(?: (?:\p{Lu}|\d|(?:de|van|von|der|la)\b)[\p{L}\p{M}\p{N}'’.-]{0,29}){0,3}`;
const handle = '[a-z][a-z0-9_.-]{1,29}';
const remark = String.raw`(?: ?[\[(][^\])\n]{1,40}[\])])?`;
const prefix = new RegExp(
  String.raw`^${decoration}(${properName}|${handle})${remark}(?:\*\*|__)?\s?[:：](?:\*\*|__)?(?:\s+|$)`,
  'u',
);

/** The speaker that a line begins with; undefined when it begins with none. */
export function speakerOf(line: string): Speaker | undefined {
  const match = prefix.exec(line.slice(0, longestPrefix));
  const name = match?.[1];
  if (match === null || name === undefined || isLabel(name)) return undefined;
  const role = name.toLowerCase();
  return {
    name,
    isAgent: agentSpeakers.has(role),
    isNamed: !roleSpeakers.has(role) && /^\p{Lu}/u.test(name),
    prefixLength: match[0].length,
  };
}

function isLabel(name: string): boolean {
  const [first = '', ...others] = name.toLowerCase().split(' ');
  return labels.has(first) && (others.length === 0 || others.every((word) => /^\d+$/.test(word)));
}
