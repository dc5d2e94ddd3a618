import { flat, type PastedText } from './pasted-texts.ts';

/** Finds in the words of a fact who says it: a fact has its speaker in its text, as the text has it or before a colon. */
export interface SpeakerFinder {
  /** The one of the text's speakers whose name last introduces words before these; null if none does. */
  speakerOf(fact: string, says: string): string | null;
  /** Whether the fact begins with this word as a speaker although something else follows the word in the text. */
  isSpread(fact: string, word: string): boolean;
}

/** What may stand before a name that introduces words: a stamp, or the line of a header. */
const before = String.raw`^(?:[^\p{L}]*|.{0,40}\b[AP]M\W*|\W*(?:From|Von|Author|Comment by|Agent)\W+|.*\d \p{L}+ \d{4} [\d:]+\W+|[^\p{L}]*(?:Yesterday|Today)[^\p{L}]*)`;
/** What follows it: a colon, a time, an address, or nothing but signs. */
const after = String.raw`(?:[^\p{L}\p{N},]*$|[^\p{L}\p{N}:,]*:|>|(?:[^\p{L}\n]|:[a-z_]+:)*(?:\d|Today|Yesterday|<)|\W{1,3}(?:\([^()]*\)|commented|wrote|BOT))`;

/** What a fact has behind a relative date. */
const addedDate = / \(\d{1,2} \p{L}+ \d{4}\)/gu;

export function createSpeakerFinder({ lines, statements }: PastedText): SpeakerFinder {
  const source = flat(lines.join('\n'));
  const names = [...new Set(statements.flatMap(({ speaker }) => speaker ?? []))]
    // "Leilani Kahale" before "Leilani".
    .sort((one, other) => other.length - one.length)
    .map((name) => {
      // `Berg, Anna` may be read as `Anna Berg`.
      const forms = [name, name.replace(/^([^,]+), (.+)$/, '$2 $1')].map(RegExp.escape).join('|');
      return { name, introduces: new RegExp(`${before}(?:${forms})${after}`, 'iu') };
    });

  function isSpread(fact: string, word: string): boolean {
    const start = `${word}: `;
    return fact.startsWith(start) && !source.includes(flat(fact).slice(0, start.length + 12));
  }

  function speakerOf(fact: string, says: string): string | null {
    const said = fact.split('\n');
    const last = said.findIndex((_, index) => flat(said.slice(0, index + 1).join('\n')).includes(says));
    for (let index = last; index >= 0; index--) {
      const line = (said[index] ?? '').replace(addedDate, '');
      const found = names.find(({ introduces }) => introduces.test(line));
      if (found) return found.name;
    }
    // Words before a colon that are repeated in facts that do not begin with them.
    const label = /^([^:\n]{1,40}): /.exec(fact)?.[1];
    return label !== undefined && isSpread(fact, label) ? label : null;
  }

  return { speakerOf, isSpread };
}
