import { anyCase } from '../any-case.ts';
import { professions } from '../extraction/person-words.ts';
import { stopWords } from '../text/word-lists.ts';
import { createStemming, words } from '../text/words.ts';

const stem = createStemming();
const now = `(?:(?:now|currently|still|really|just|recently|no longer|not|have|am|do not|don['’]t) ){0,2}`;
/** A name, which alone tells a home or an employer from "I live in the present" and "I work at night". */
const named = String.raw`(?:[Tt]he )?(\p{Lu}[\p{L}\p{M}\p{N}.&'’-]*(?: \p{Lu}[\p{L}\p{M}\p{N}.&'’-]*){0,3})`;
const I = (rest: string) => `^${anyCase(`(?:I am|I['’]m|I) ${now}${rest}`)}`;
const end = String.raw`(?=[.,;:!]|$| (?:and|but|since|for|now|today)\b)`;
const date = String.raw`\d|(?:${anyCase('January|February|March|April|May|June|July|August|September|October|November|December')})\b`;
const noName = String.raw`(?:an?|the|my|our|your|his|her|their|this|that|it|here|there|myself|others?|people|home|night|nights|work|school|university|college|sea|once|least|town|cities|nature|present|moment|past|future|peace|fear|hope|harmony|love|luxury|poverty|comfort|denial|style|exile|chaos|silence|solitude|pain|darkness|hiding|isolation|shame|joy|happiness|freedom|safety|dreams|reality|sin|tears|management|retirement|scratch|afar|abroad|free|fun|money|pleasure|heart|heights|speed|hand|weekends|dawn|noon|times|nothing|anyone|everyone|everything|something|someone|clients|customers|children|kids|[a-z]+ing)\b`;
const firstOfTwo =
  '(?:new|san|santa|santo|saint|st|los|las|el|la|le|den|rio|são|sao|belo|buenos|hong|cape|tel|kuala|abu|addis|novi|sri|costa|puerto|porto|salt|kansas|mexico|palo|south|north|east|west) ';
/** A name in small letters, as some people write it. */
const unmarked = String.raw`(?!${noName})((?:${firstOfTwo})?\p{Ll}[\p{L}\p{M}'’-]+)(?=[.,;!]|$| (?:and|but|since|now|today|again)\b)`;
const place = (words: string) => [new RegExp(words + named, 'u'), new RegExp(words + unmarked, 'u')];
const around = String.raw`(?:an?|the|my|our) (?:[\p{Ll}-]+ ){1,4}(?:in|near|of|at) `;

/** What was done before is no job, unless it goes on. */
const worked = String.raw`(?<=have )worked(?=.* (?:since|now|for (?:\S+ ){0,4}(?:years?|months?|weeks?|decades?))\b)`;
/** Jobs that say little without their employer, by their last word. */
const staff =
  'agent|assistant|representative|specialist|associate|officer|executive|director|coordinator|administrator|operator|advisor|adviser|supervisor';
/** What one moves to at work: "I moved to Product Management in 2022". */
const department = String.raw`(?:the )?(?:\p{Lu}\S* ){0,3}(?:Management|Marketing|Sales|Engineering|Finance|Accounting|Consulting|Operations|Development|Research|Support|Success|Design|Administration|Leadership|Resources|Science|HR|IT|Legal|Product|Security|Team|Department|Division)(?=[.,;:!]|$| (?:in|at|team|department)\b)`;

/**
 * Attributes of which an agent has only one value; the group is the value. Narrow on purpose: a sentence that is taken for
 * one about an attribute makes the agent forget what it was told before.
 */
const single: readonly (readonly [string, readonly RegExp[]])[] = [
  [
    'name',
    [
      new RegExp(`^${anyCase("My name(?: is|['’]s)")} (.+)$`, 'u'),
      new RegExp(`^${anyCase("(?:(?:I am|I['’]m) (?:called|named)|I go by|call me) (?:the name )?")}${named}`, 'u'),
    ],
  ],
  [
    'age',
    [
      /^(?:I am|I['’]m|My age is) (?:now )?((?:\d{1,4}|[a-z]+(?:-[a-z]+)?) years old|\d{1,3}(?=[.,;!](?!\d)|$| and\b))/iu,
    ],
  ],
  ['employer', [new RegExp(I('an? ') + String.raw`(?:[\p{L}-]+ ){0,3}(?:${staff}) at ` + named, 'u')]],
  ['employer', place(I(`(?:work|working|${worked}|employed) (?:at|for|by) `))],
  ['home', place(I('(?:live|living|reside|based|settled) (?:in|at|near) '))],
  ['home', [new RegExp(I('(?:live|living|reside) (?:in|at|near) ') + around + named, 'u')]],
  ['home', place(`${I('(?:moved|relocated) to ')}(?!${department})`)],
  ['home', place(`^${anyCase('My (?:home|address) is (?:in |at )?')}`)],
  ['street', [new RegExp(I('(?:live|living|reside) on ') + named, 'u')]],
  ['birth date', [new RegExp(`^${anyCase('I was born (?:in|on) (?:the )?')}((?:${date}).*)$`, 'u')]],
  ['birthplace', place(`^${anyCase('I was born (?:in|near) ')}(?!${date})`)],
  ['childhood', place(`^${anyCase('I grew up (?:in|near) ')}`)],
  ['origin', place(I('(?:come )?from '))],
  [
    'status',
    [
      new RegExp(
        `${I('')}(${anyCase('single|married|divorced|engaged|widowed')})(?:${end}| (?:${anyCase('to|with')}) (?:\\p{Lu}|(?:a|an|my)\\b))`,
        'u',
      ),
    ],
  ],
  [
    'role',
    [
      new RegExp(
        String.raw`^${anyCase('My (?:job|work) is')} (?!\p{L}+ (?:up|out)\b)(\p{Ll}+ing)(?=[.,;!]|$| (?:at|in|for)\b)`,
        'u',
      ),
    ],
  ],
];
const describing =
  /^(?:boring|interesting|exciting|rewarding|challenging|demanding|tiring|exhausting|fulfilling|satisfying|draining|depressing|amazing|fascinating|frustrating|inspiring|overwhelming|changing|ending|going|killing|waiting|missing|nothing|everything|something)$/;
const own =
  /^my (favou?rite [a-z]+(?: [a-z]+){0,2}?|birthday|goal|role|motto|hometown|native language|mother tongue|tone|style) (?:is|are)\b/i;
const liking =
  /^I (?:(?:really|also|now|still|no longer|never|do not|don['’]t|can['’]t|cannot) ){0,2}(?:like|love|enjoy|hate|dislike|adore|detest|stand)\b(.+)$/i;

const adjective = String.raw`(?:(?!(?:of|to|a|an|the|in|with|and|or|good|great|bad|terrible|decent|avid|keen|talented)\b)[\p{L}-]+ ){0,3}?`;
const beingIn = `(?:I am|I['’]m|My job is|(I ${now}(?:work|working|${worked}|employed) as(?= an? | the )|I['’]m (?:now |currently )?(?:working|employed) as(?= an? | the )|My (?:profession|occupation) is)) (?:now |currently |no longer |not )?(?:an? |the )?`;
const job = new RegExp(
  String.raw`^${anyCase(beingIn)}(${adjective})([\p{L}-]+)(?=[.,;!]|$| (?:(?:at|for) ${named}|(?:at|for|in|from|who|with|and|by|on|since|now)\b))`,
  'u',
);
/** What is said beside something else, or of another time, replaces nothing. */
const isBeside =
  /\b(?:also|too|as well|used to|once|former|formerly|previously|retired|sometimes|occasionally|part-time|volunteer|amateur|hobby|aspiring)\b/i;
const isDenied = /^I(?: am|['’]m)? (?:no longer|not|do not|don['’]t|never)\b/i;

/**
 * What a sentence in the first person says of the agent, where the agent can have only one of it: `home` and `home: rome`,
 * or only `home: rome` if the sentence denies it. Of two sentences that have one in common, the newer one holds.
 */
export function attributesOf(sentence: string): string[] {
  const possession = own.exec(sentence)?.[1];
  if (possession !== undefined) return [`my ${possession.toLowerCase().replace('favourite', 'favorite')}`];
  const liked = liking.exec(sentence)?.[1];
  if (liked !== undefined) return [`like ${topicOf(liked)}`];
  if (isBeside.test(sentence)) return [];
  const found = [...valuesOf(sentence)].map(([attribute, value]) => [
    attribute,
    `${attribute}: ${value.toLowerCase().replace(/(?<![.!])[.!]+$/, '')}`,
  ]);
  return found.flatMap(([attribute = '', value = '']) => (isDenied.test(sentence) ? [value] : [attribute, value]));
}

function* valuesOf(sentence: string): Generator<readonly [string, string]> {
  const found = valueIn(sentence);
  if (found !== undefined && !describing.test(found[1])) yield found;
  const own = jobIn(sentence);
  if (own === undefined) return;
  yield ['role', own.role];
  if (own.employer !== undefined) yield ['employer', own.employer];
}

export interface Job {
  readonly role: string;
  readonly employer: string | undefined;
  /** The words before the role: "careful " */
  readonly qualities: string;
  /** What follows the role: " from Ghent." */
  readonly after: string;
}

/** The job that a sentence in the first person states. */
export function jobIn(sentence: string): Job | undefined {
  const [match, asked, qualities = '', role = '', employer] = job.exec(sentence) ?? [];
  if (match === undefined || (asked === undefined && !professions.has(role.toLowerCase()))) return undefined;
  return { role, employer, qualities, after: sentence.slice(match.length) };
}

function valueIn(sentence: string): readonly [string, string] | undefined {
  for (const [attribute, patterns] of single)
    for (const pattern of patterns) {
      const match = pattern.exec(sentence);
      if (match !== null) return [attribute, match[1] ?? ''];
    }
  return undefined;
}

function topicOf(text: string): string {
  const topic = words(text).filter((word) => !stopWords.has(word) && word !== 'anymore');
  return [...new Set(topic.map(stem))].sort().join(' ');
}
