import { personsIn } from '../contact-names.ts';
import type { LexiconEntry } from '../lexicon.ts';
import { linesOf } from '../sentences.ts';
import { isByRole, isThing, monthsLikeNames, speakerOf } from '../speaker.ts';

/** A line with a mark in front: an entry of a list, a quotation, a heading, bold text. */
export const decorated = /^\s*(?:[-*•>#]|\d{1,3}[.)]\s|__)/;
/** An entry of a list, a quotation or a heading, but not `**Mei**: Hello`. */
export const listed = /^\s*(?:[-•>#]|\*(?!\*)|\d{1,3}[.)]\s)/;

/** By which names are compared: `travel-desk` speaks as `Travel Desk`. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, ' ');
}

/** The names before at least two lines of a text. */
export function recurringNames(text: string, hasUsers: boolean): ReadonlySet<string> {
  const once = new Set<string>();
  const recurring = new Set<string>();
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const found = listed.test(line) ? undefined : speakerOf(line, hasUsers);
    if (found === undefined) continue;
    const key = nameKey(found.name);
    (once.has(key) ? recurring : once).add(key);
  }
  return recurring;
}

/**
 * The names before at least two lines of a text, if there are several such names or also roles, persons counting from one
 * line on. Words for things alone do not talk.
 */
export function namesInTurns(
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
    const lines = lookUp(personsIn(found.name)[0] ?? '')?.type === 'PERSON' && !monthsLikeNames.has(key) ? 2 : 1;
    counts.set(key, (counts.get(key) ?? 0) + lines);
  }
  const names = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  const isTalk = names.length + parties > 1 && (parties > 0 || !names.every(isThing));
  return new Set(isTalk ? names : []);
}
