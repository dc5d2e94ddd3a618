import type { FoundNames } from '../entity-finder.ts';
import type { Gender, LexiconEntry } from '../lexicon.ts';
import type { Speaker } from '../speaker.ts';
import { genderBefore, introducesSpeaker, nounMentions } from './person-nouns.ts';

/** A pronoun at the start of a sentence, and whom it means. */
export interface Resolution {
  /** Where the pronoun is in the text. */
  readonly start: number;
  readonly end: number;
  /** What can stand in its place: a name, or "my sister". */
  readonly subject: string;
  /** Undefined for a person without a name. */
  readonly name: string | undefined;
}

/** Knows the persons that an item has mentioned so far. */
export interface PersonMemory {
  /** Whom the pronoun that begins a text means; undefined unless exactly one person fits. */
  resolve(text: string, speaker: Speaker | undefined): Resolution | undefined;
  /** Remembers the persons of a text; what may be the name of one makes pronouns uncertain. */
  note(text: string, names: FoundNames, speaker: Speaker | undefined): void;
}

interface Person {
  readonly key: string;
  readonly gender: Gender | undefined;
  /** Undefined when nothing can certainly stand for it. */
  readonly subject: string | undefined;
  readonly name: string | undefined;
  /** Whose "my" it is: the name of the speaker. Undefined for a person with a name. */
  readonly of: string | undefined;
}

const start =
  /^((?:(?:and|but|so|then|also|now|well|today|later|after that|in fact|last (?:week|month|year)|yesterday),? )?)(he|she)(?=(?:['’]s)?\s+\p{L}|['’]ll\s)/iu;
/** With more persons no pronoun is certain. */
const maxPersons = 12;

export function createPersonMemory(lookUp: (name: string) => LexiconEntry): PersonMemory {
  const persons = new Map<string, Person>();
  const add = (person: Person) => {
    if (persons.size <= maxPersons && !persons.has(person.key)) persons.set(person.key, person);
  };
  return {
    resolve: (text, speaker) => {
      const match = start.exec(text.slice(0, 80));
      if (match === null || persons.size > maxPersons) return undefined;
      const [, before = '', pronoun = ''] = match;
      const gender = pronoun.toLowerCase() === 'she' ? 'female' : 'male';
      const fitting = [...persons.values()].filter(
        (person) => (person.gender ?? gender) === gender && person.key !== keyOf(nameOf(speaker)),
      );
      const [person] = fitting;
      if (fitting.length !== 1 || person?.subject === undefined) return undefined;
      if (person.of !== undefined && person.of !== nameOf(speaker)) return undefined;
      const subject = before === '' ? capitalised(person.subject) : person.subject;
      return { start: before.length, end: before.length + pronoun.length, subject, name: person.name };
    },
    note: (text, { entities, possibleNames }, speaker) => {
      const own = keyOf(nameOf(speaker));
      const addName = (name: string, isPerson: boolean) => {
        const key = keyOf(name);
        // The one who speaks is "I" here, and "you" to others.
        const subject = isPerson && key !== own ? name : undefined;
        const before = text.slice(0, Math.max(0, text.indexOf(name)));
        if (introducesSpeaker(before)) return;
        const gender = genderBefore(before) ?? lookUp(name).gender;
        add({ key, gender, subject, name: subject, of: undefined });
      };
      for (const { name, type } of entities) {
        if (type === 'PERSON' || (type === 'OTHER' && !isPlace(text, name))) addName(name, type === 'PERSON');
      }
      for (const name of possibleNames) addName(name, false);
      const named = entities.filter(({ type }) => type === 'PERSON').map(({ name }) => name);
      for (const { noun, gender, isSpeakers } of nounMentions(text, named)) {
        const subject = isSpeakers ? `my ${noun}` : undefined;
        add({ key: `the ${noun}`, gender, subject, name: undefined, of: nameOf(speaker) });
      }
    },
  };
}

function isPlace(text: string, name: string): boolean {
  return /\b(?:at|in|into|near) (?:the )?$/.test(text.slice(0, Math.max(0, text.indexOf(name))).slice(-12));
}

function nameOf(speaker: Speaker | undefined): string {
  return speaker?.name ?? '';
}

/** "Maria Silva" and "Maria" are one person, as far as one item is concerned. */
function keyOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/^(?:mr|mrs|ms|dr|prof)\.? /, '')
      .split(' ')[0] ?? ''
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
