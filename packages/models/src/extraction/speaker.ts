/** The speaker of a line: `Anna: I moved to Rome.` */
export interface Speaker {
  readonly name: string;
  /** Only lines of the agent can become its experiences or opinions. */
  readonly isAgent: boolean;
  /** A name, not a role such as `User`. */
  readonly isNamed: boolean;
  /** Where the text after the prefix begins, from the start of the line. */
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

/** The speaker at the start of a line; undefined when there is none. */
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

/** Words before a colon that are not speakers. */
export const labels: ReadonlySet<string> = new Set(labelList.split(/\s+/).filter((word) => word !== ''));

/** Names of the agent as a speaker. */
const agentSpeakers: ReadonlySet<string> = new Set([
  'agent',
  'ai',
  'ai agent',
  'ai assistant',
  'assistant',
  'bot',
  'chatbot',
  'model',
]);

/** Roles in a conversation, not names of persons. */
const roleSpeakers: ReadonlySet<string> = new Set([
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
