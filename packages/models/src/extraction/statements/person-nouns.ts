import type { Gender } from '../lexicon.ts';

/** A person or an animal that a text mentions with a common noun. */
export interface NounMention {
  readonly noun: string;
  readonly gender: Gender | undefined;
  /** "my" or "our": whose it is is the speaker's. */
  readonly isSpeakers: boolean;
}

const female =
  'mother|mom|mum|sister|daughter|wife|girlfriend|aunt|auntie|grandmother|grandma|granny|granddaughter|niece|woman|girl|lady|queen|actress|waitress|mother-in-law|sister-in-law|bride|princess|nun';
const male =
  'father|dad|brother|son|husband|boyfriend|uncle|grandfather|grandpa|grandson|nephew|man|boy|guy|gentleman|king|actor|waiter|father-in-law|brother-in-law|groom|prince|priest|monk';
const either =
  'friend|cousin|boss|manager|colleague|coworker|neighbou?r|partner|fianc[ée]e?|spouse|parent|child|kid|baby|toddler|twin|roommate|flatmate|teacher|professor|student|coach|therapist|doctor|nurse|dentist|lawyer|vet|driver|landlord|tenant|mentor|user|customer|client|patient|person|someone|somebody|stranger|author|singer|artist|player|agent|assistant|dog|puppy|cat|kitten|pet|horse|bird|parrot|rabbit|hamster|bunny|cow|pony';

const mention = new RegExp(
  String.raw`\b(?:(my|our|My|Our|his|her|their|the|a|an|His|Her|Their|The|A|An|your|Your) )?(?:(?:best|older|younger|elder|little|big|new|old|twin|only|good|close|dear|late|eldest|youngest|oldest) )?(?:(${female})|(${male})|(${either}))\b(?![-'’]|,? \p{Lu})`,
  'gu',
);
/** "Maria is a nurse" and "Tom works as a driver" mention no second person. */
const predicate =
  /\b(?:is|am|was|are|were|be|been|become|became|becoming|as|like)(?: (?:also|now|still|not|once))? $|['’](?:s|m) $/;

/** The persons of a text that have no name there, each mention. */
export function nounMentions(text: string): NounMention[] {
  return [...text.matchAll(mention)].flatMap((match) => {
    const [, owner = '', woman, man, person] = match;
    if (predicate.test(text.slice(Math.max(0, match.index - 20), match.index))) return [];
    const noun = (woman ?? man ?? person ?? '').toLowerCase();
    const gender = woman === undefined ? (man === undefined ? undefined : ('male' as const)) : ('female' as const);
    return [{ noun, gender, isSpeakers: /^(?:my|our)$/i.test(owner) }];
  });
}

const namedKin = new RegExp(String.raw`\b(?:(${female})|(?:${male})),? $`);

/** The gender of a name by the word before it: `my husband Rui`. */
export function genderBefore(before: string): Gender | undefined {
  const match = namedKin.exec(before.slice(-20));
  if (match === null) return undefined;
  return match[1] === undefined ? 'male' : 'female';
}

const introduction = /(?:\b[Mm]y name is|\bI am|\bI['’]m|\b[Cc]all me) $/;

/** Whether the name after a text is that of the speaker: `My name is Ana`. */
export function introducesSpeaker(before: string): boolean {
  return introduction.test(before.slice(-20));
}
