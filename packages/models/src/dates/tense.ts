import { anyCase } from '../any-case.ts';

/** Whether a sentence is about the past or the future; undefined when its words do not tell. */
export type Tense = 'past' | 'future' | undefined;

const word = String.raw`(?: (?!(?:that|who|which|what|when|where|why|how|because|if|and|but|or|so|I|i|we|he|she|they|you|it)\b)[\w’'-]{1,30})`;
/** "is", also in questions: "is she". */
const be = String.raw`(?:\b(?:am I|are (?:you|we|they)|is (?:he|she|it)|(?:he|she|it|that|there|who|what|where|when)['’]s|am|is|are)\b|['’](?:m|re)\b)`;

const arranging = 'leaving|moving|going|having|getting|coming|flying|meeting|visiting|starting|taking|seeing';
const arranged = 'supposed|scheduled|expected|invited|booked|planned|due|meant';
const future = new RegExp(
  [
    String.raw`\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)?|hope to|hoping|want to|would like|upcoming|can't wait|looking forward|excited for|starts|begins|opens|expires|departs|let['’]s|['’]ll)\b`,
    String.raw`${be}(?: not)? (?:${arranging})\b`,
    String.raw`${be}${word}{0,2} (?:${arranged})\b`,
  ].join('|'),
  'i',
);

/** Words in "-ed" that are no verbs in the past: other verbs, nouns, adjectives and names. */
const notPast = [
  String.raw`\w*(?:need|feed|seed|weed|deed|heed|speed|breed|bleed|ceed)|hundred|shred|embed`,
  '(?:blood|water|wood|tool)?shed|(?:bob)?sled|reed|greed|creed|steed|tweed|moped|hatred|kindred|newlywed',
  'wicked|naked|sacred|infrared|rugged|beloved',
  'fred|alfred|wilfred|manfred|mildred|jared|ahmed|mohammed|mohamed|muhammed|hamed|khaled|saeed|waleed',
].join('|');
const regular = String.raw`(?<![-’'])\b(?!(?:${notPast})\b)[a-z]{2,}ed`;
/** Excludes "to read" and "will quit". */
const noInfinitive = String.raw`(?<!(?:\b(?:to|will|gonna|can|must|should|could|would|may|might|please)|['’]ll) )`;
/** Also names and nouns when they are capitalised within a sentence: "dinner with Said", "tickets to the Met". */
const ambiguous = `(?:said|met|${noInfinitive}(?:read|quit)|saw|left|won|lost|found|led|felt|fed|drew|hung|lent|rang|sang)`;
/** Participles as well: "The flat is sold". */
const alsoParticiple =
  'made|told|bought|spent|heard|sold|paid|sent|built|kept|held|caught|taught|brought|thought|slept|stood|fought|sought|swept|dealt|learnt|burnt|stuck|struck|dug|broke';
const clearlyPast = anyCase(
  `was|were|wasn['’]t|weren['’]t|had|did|didn['’]t|went|got|came|took|gave|began|ran|ate|wrote|drove|flew|became|blew|chose|drank|fell|forgot|froze|grew|hid|knew|rode|sank|shook|shrank|spoke|stole|swam|swore|threw|tore|wept|withdrew|woke|wore|${alsoParticiple}`,
);
const adjectives =
  'Advanced|Mixed|United|Limited|Unlimited|Guided|Supervised|Delayed|Organi[sz]ed|Detailed|Baked|Fried';
/** At the start of a sentence a verb is capitalised too: "Visited the dentist on Friday." */
const atStart = String.raw`(?:^|[.!?:;] )["“(*-]? ?(?:(?:Said|Met|Read|Quit|Saw|Left|Won|Lost|Found|Led|Felt)\b|(?!(?:${anyCase(notPast)}|${adjectives})\b)[A-Z][a-z]+ed (?=(?:an?|the|my|our|his|her|their|some|it|him|them|us|up|out|off|back|to|with|at|in|for|from)\b|[A-Z]))`;

/** Source of a regular expression for a word in the past. */
const pastWord = String.raw`(?:(?<!\w-)\b(?:${clearlyPast})\b(?!-\w)|\b${ambiguous}\b|${regular}\b|${atStart})`;
const past = new RegExp(pastWord);
const upToLastPast = new RegExp(`^.*${pastWord}`);

const participle = String.raw`(?:(?:[a-z]{1,20}ly|well|just|very|so) )?(?:${alsoParticiple}|said|left|won|lost|found|read|quit|led|met|saw|felt|fed|hung|lent|[a-z]{2,30}ed)\b`;
const determiner = 'an?|the|my|our|your|his|her|its|their';

/** What looks like the past and is not; what group 1 captures may stay. */
const falsePasts: readonly RegExp[] = [
  // "I've got an appointment", "What have I got on Friday?"
  new RegExp(
    String.raw`(\b(?:have|has|haven['’]t|hasn['’]t)(?: (?:I|i|we|you|they|he|she|it))?${word}?|['’]ve|['’]s) got\b`,
    'gi',
  ),
  // "I'm supposed to", "is my sister invited", "get married"
  new RegExp(
    String.raw`((?:${be}|\b(?:be|being|gets?|getting|feels?|stays?|isn['’]t|aren['’]t))${word}{0,2}|['’]s) ${participle}`,
    'gi',
  ),
  // "I have my car washed on Fridays", "I need the report finished"
  new RegExp(
    String.raw`((?:\b(?:have|has|having|needs?|wants?|gets?|getting|there (?:is|are))|['’]ve|there['’]s) (?:${determiner}|some|this|another|two|three|no|to|it|him|them|someone)${word}{0,6}) ${participle}`,
    'gi',
  ),
  // "a guided tour", "with fried rice"
  new RegExp(String.raw`(\b(?:${determiner}|with|of|for|without|into)) ${participle}`, 'gi'),
];

/** A text without participles that belong to a verb in the present, or to a noun. */
function withoutFalsePasts(text: string): string {
  return falsePasts.reduce((rest, pattern) => rest.replace(pattern, '$1'), text);
}

/** The tense of a sentence by its words; undefined when they indicate neither tense, or both. */
export function tenseOf(sentence: string): Tense {
  const hasFuture = future.test(sentence);
  if (hasFuture === hasPast(sentence)) return undefined;
  return hasFuture ? 'future' : 'past';
}

/** Whether a sentence has a word in the past, whatever else it has. */
export function hasPast(sentence: string): boolean {
  return past.test(withoutFalsePasts(sentence));
}

/** What follows the last word in the past; the whole text if there is none. */
export function afterLastPast(text: string): string {
  return withoutFalsePasts(text).replace(upToLastPast, '');
}

/** What precedes the first word in the past; the whole text if there is none. */
export function beforeFirstPast(text: string): string {
  return withoutFalsePasts(text).split(past, 1)[0] ?? '';
}
