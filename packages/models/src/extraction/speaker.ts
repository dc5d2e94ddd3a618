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

const labelList = `
abstract action actions address advice agenda aim also answer appendix assumption background because bonus budget caution caveat chapter comment
conclusion contents context cost date deadline definition description details disclaimer discussion due edit email end error example examples
extra facts figure file final finally first fix from goal goals he her hint how however http https idea important info ingredients input
instructions introduction issue it keywords lesson link links list location me mission name next no note notes objective option options
output overview owner part phone plan pre price priority problem pros cons ps purpose question quote reason recap recipe reference
references reminder requirement requirements result results rule second section sources source spoiler status step steps subject subtitle
summary table task tasks that then there they third this time tip tips title to todo together topic topics type update url vs warning we
what when where which who why yes you
`;

/** Words that stand before a colon without having said what follows it. */
export const labels: ReadonlySet<string> = new Set(labelList.split(/\s+/).filter((word) => word !== ''));

/** What an agent is called as a speaker. */
export const agentSpeakers: ReadonlySet<string> = new Set([
  'agent',
  'ai',
  'ai agent',
  'ai assistant',
  'assistant',
  'bot',
  'chatbot',
  'model',
]);

/** Speakers that are a part in a conversation, not a person's name. */
export const roleSpeakers: ReadonlySet<string> = new Set([
  ...agentSpeakers,
  'caller',
  'client',
  'customer',
  'developer',
  'human',
  'interviewer',
  'me',
  'operator',
  'speaker',
  'system',
  'tool',
  'user',
]);
