import { anyCase } from '../any-case.ts';
import { tenseOf } from '../dates/tense.ts';
import { adverbs, isFiniteVerb, plainWords } from '../extraction/statements/word-forms.ts';
import { isNegated } from '../text/word-lists.ts';
import { type Job, jobIn } from './attribute.ts';
import { capitalised } from './first-person.ts';
import { traitWords } from './trait-words.ts';

/** A clause by its position in a sentence, and the sentence that it is alone. */
interface OwnClause {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Further clauses of a sentence stay with the last one. */
const maxClauses = 12;
/** What is read of a clause to find out whether it is one, in characters. */
const readLength = 80;
const aboutOneself = /^(?:I|My)\b/i;
const undivided = /["“”«»()[\]?:]/;
/** What follows one of these may still belong to it, except behind a comma with a subject of its own. */
const subordinate =
  /\b(?:if|unless|that|because|when|whenever|while|until|whether|although|though|wish|hope|dream|imagine|pretend|think|believe|say|says|said|tell|tells|told)\b/i;
/** What follows "and" after one of these may have another subject or another verb: "I want to live in Rome and work at Acme". */
const governing =
  /\b(?:to \p{Ll}|(?:who|which|can|could|may|might|must|shall|should|will|would|let|help|make|see|not|never|cannot|no longer)\b)|n['’]t\b|['’](?:d|ll)\b/u;
/** "A teacher of music and dance" */
const linked = /\b(?:of|for|about|to) \p{Ll}+$/u;
const joint = /(?:[,;] (?:(?:and|but|so|where) )?| (?:and|but|where) )/g;
const being = /^(?:I am|I['’]m)\b/i;
/** What follows one of these may be a participle. */
const beingOrBecoming = /\b(?:am|was|been|being|got|get)\b|['’]m\b/i;
/** "Where my sister lives", which "love tea" cannot go on with, unlike "where people sing". */
const whereOthers = /\bwhere (?!I\b)([^,;]*)/;
const quality = /^(?:an? |from \p{Lu}|\d+ years old|(?:single|married|divorced|engaged|widowed)\b)/u;

/** The clauses of a sentence in the first person that can stand alone; the whole sentence where that is not certain. */
export function ownClauses(sentence: string): string[] {
  return divide(sentence).map(({ text }) => text);
}

/**
 * A sentence without the clauses that do not hold any more, and without those that refer to one of them. Clauses that
 * were neighbours stay in one sentence.
 */
export function withoutClauses(
  sentence: string,
  isOutdated: (clause: string) => boolean,
  isPlace: (name: string) => boolean,
): string[] {
  const kept: string[] = [];
  let open: OwnClause | undefined;
  let isAfterRemoved = false;
  const close = () => {
    if (open !== undefined) kept.push(open.start === 0 ? open.text : capitalised(open.text));
    open = undefined;
  };
  for (const clause of divide(sentence)) {
    if (isOutdated(clause.text)) {
      close();
      kept.push(...remainsOf(clause.text, isPlace).filter((each) => !isOutdated(each)));
      isAfterRemoved = true;
    } else if (!isAfterRemoved || !refersBack(clause.text, sentence.slice(0, clause.start))) {
      const text = open === undefined ? clause.text : open.text + sentence.slice(open.end, clause.end);
      open = { start: open?.start ?? clause.start, end: clause.end, text };
      isAfterRemoved = false;
    }
  }
  close();
  return kept;
}

function divide(sentence: string): OwnClause[] {
  const whole = { start: 0, end: sentence.length, text: sentence };
  if (!aboutOneself.test(sentence) || undivided.test(sentence)) return [whole];
  const clauses: OwnClause[] = [];
  let open = { start: 0, subject: '' };
  for (const match of sentence.matchAll(joint)) {
    if (clauses.length === maxClauses - 1) break;
    const before = sentence.slice(open.start, match.index);
    const start = match.index + match[0].length;
    const subject = subjectAfter(`${open.subject}${before}`, match[0], sentence.slice(start, start + readLength));
    const isMain = subject === '' && /^[,;] (?:and|but)/.test(match[0]);
    if (subject === undefined || (!isMain && subordinate.test(before))) continue;
    clauses.push({ start: open.start, end: match.index, text: open.subject + before });
    open = { start, subject };
  }
  return [...clauses, { start: open.start, end: sentence.length, text: open.subject + sentence.slice(open.start) }];
}

/** What a clause needs in front to stand alone, which is nothing if it has its own subject; undefined when it is no clause. */
function subjectAfter(before: string, by: string, text: string): string | undefined {
  if (/^I(?:['’](?:m|ve|d|ll))? /i.test(text)) return '';
  const [part = ''] = text.split(/[,;]| (?:and|but) /, 1);
  const words = plainWords(part);
  if (/where/.test(by)) return undefined;
  if (words[0] === 'my') return words.slice(2).some(isFiniteVerb) ? '' : undefined;
  if (!/^I\b/i.test(before) || governing.test(before) || goesOnWithOthers(before, by)) return undefined;
  if (being.test(before) && (quality.test(part) || isDescription(before, words[0] ?? ''))) return 'I am ';
  const [verb = '', next] = words.slice(words.findIndex((word) => !adverbs.has(word)));
  if (next === undefined || !isOwnVerb(verb) || linked.test(before)) return undefined;
  const isParticiple = tenseOf(`I ${verb} it`) === 'past' && (next === 'by' || goesOnWithParticiple(before, by));
  return isParticiple ? undefined : 'I ';
}

/** Whether a verb without a subject may be one of others: "where people sing and dance". */
function goesOnWithOthers(before: string, by: string): boolean {
  const [match, said = ''] = whereOthers.exec(before) ?? [];
  if (match === undefined) return false;
  const isSingular = plainWords(said).some((word) => /[^s]s$/.test(word) && isFiniteVerb(word));
  return !isSingular || !before.endsWith(match) || !by.startsWith(',');
}

/** "I was born in Rome and", "I live in Rome," */
function goesOnWithParticiple(before: string, by: string): boolean {
  return beingOrBecoming.test(before) || (by === ', ' && tenseOf(before) !== 'past');
}

/** "I am kind and patient", but not "I am a kind and patient librarian" */
function isDescription(before: string, word: string): boolean {
  return traitWords.descriptions.has(word) && !/ (?:an?|the) /.test(before);
}

/** "Speak", "spoke" and "worked", but neither "speaks" nor "interested". */
function isOwnVerb(word: string): boolean {
  if (/[^s]s$/.test(word) && word !== 'was') return false;
  if (!/[^e]ed$/.test(word)) return isFiniteVerb(word);
  return [word.replace(/ied$/, 'y'), word.slice(0, -2), word.slice(0, -1)].some(
    (form) => form !== word && isFiniteVerb(form),
  );
}

const reference =
  /^(?:(?!\b(?:an?|the|my|two|three|some)\b).)*\b(?:it|its|they|them|their|this|that)\b|\b(?:t?here)\b/i;

/** Whether a clause says something of the one before it: "and I love it", ", where I was born". */
function refersBack(clause: string, before: string): boolean {
  if (reference.test(clause)) return true;
  return before.endsWith(' where ') && (tenseOf(clause) === 'past' || plainWords(clause).length < 3);
}

const name = String.raw`\p{Lu}[\p{L}\p{M}.'’-]*(?: \p{Lu}[\p{L}\p{M}.'’-]*){0,3}`;
const origin = new RegExp(`^ from (${name})$`, 'u');
const employer = new RegExp(`^ (?:at|for|in) (?:the )?${name}`, 'u');
/** Words that tell the kind of a job ("a social worker"), or are nouns ("a perfectionist nurse"). */
const noAdjective =
  /^(?:social|experimental|creative|artistic|philosophical|intellectual|visionary)$|(?:rer|mer|ner|ier|ist|vert|tor)$/;
const company = new RegExp(
  String.raw`^(${anyCase("(?:I|I am|I['’]m) (?:(?:now|currently|still) )?(?:live|living|reside)")}) (?:in|at|near) [^,;]{1,60}?,? (with (?:my|our|${name})\b.*)$`,
  'u',
);
const elsewhere = /\b(?:in|at|near|from) \p{Lu}/u;

/** What a clause says beside the job or the home that does not hold any more. */
function remainsOf(clause: string, isPlace: (name: string) => boolean): string[] {
  if (isNegated(clause)) return [];
  const job = jobIn(clause);
  if (job !== undefined) return besideJob(job, isPlace);
  const [, living, others = ''] = company.exec(clause) ?? [];
  return living === undefined || elsewhere.test(others) ? [] : [`${living} ${others}`];
}

/** "A careful librarian from Ghent": careful, from Ghent. */
function besideJob({ qualities, after }: Job, isPlace: (name: string) => boolean): string[] {
  const own = qualities
    .toLowerCase()
    .replace(/^very /, '')
    .trim()
    .split(/, (?:and )?| (?:and )?/);
  const isPlain = own.every((word) => traitWords.descriptions.has(word) && !noAdjective.test(word));
  const place = origin.exec(after.replace(employer, ''))?.[1]?.replace(/\.$/, '');
  return [
    ...(isPlain ? [`I am ${[...new Set(own)].join(' and ')}`] : []),
    ...(place !== undefined && isPlace(place) ? [`I am from ${place}`] : []),
  ];
}
