import { addDays } from '../calendar.ts';
import { type DaySpan, lengthOf } from '../day-span.ts';
import { isDateContext, type Reduction, reduction } from './reduction.ts';
import { type Meant, mapTime, type Term, type TermKind } from './term.ts';

/** The words that make a date of what could be something else. */
const prepositions: Readonly<Partial<Record<TermKind, RegExp>>> = {
  day: /^(?:on|for|around)$/,
  weekday: /^(?:on|for|around)$/,
  holiday: /^(?:on|at|over|during|around)$/,
  weekend: /^(?:on|at|over|during|for|around)$/,
  month: /^(?:in|during|throughout|within|around)$/,
  season: /^(?:in|during|over|throughout|around)$/,
  year: /^(?:in|during|throughout|within|of|for|from|around)$/,
  period: /^(?:in|during|over|throughout|within|of|for|from|around)$/,
};

const prepositional = reduction(
  String.raw`\b(as of|(?:whole|all|most|rest|course) of|in|on|at|over|during|throughout|within|around|about|for|of|from) (?:the )?<T>(?! of\b)`,
  (match, [term]) => {
    const written = match[1]?.toLowerCase() ?? '';
    const word = written.endsWith(' of') ? 'in' : written;
    if (term === undefined || !fits(term, word)) return undefined;
    if (term.isName && !isDateContext(match) && word !== 'in') return undefined;
    return clear(term, word, match.input);
  },
);

function fits({ kind, isClear, phrase }: Term, word: string): boolean {
  // "What did he say about last year?"
  if (word === 'about') return / ago$/.test(phrase);
  if (isClear && /^(?:for|of|from)$/.test(word)) return false;
  return (isClear && word === 'around') || (prepositions[kind]?.test(word) ?? false);
}

function clear(term: Term, word: string, question: string): Meant | undefined {
  // Who was hurt in the fall was not hurt by autumn.
  if (/^fall$/i.test(term.phrase) && /\b(?:hurt|injur|broke|fractur|bruis)/i.test(question)) return undefined;
  const isRough = word === 'around' || word === 'about';
  if (!isRough && !(term.kind === 'holiday' && /^(?:at|over|during)$/.test(word))) return { ...term, isClear: true };
  const time = mapTime(term, (span) => wider(span, isRough));
  return time && { kind: term.kind, time, isClear: true };
}

/** Over Christmas is more than its day; around a time is half as much again on both sides, and three days at least. */
function wider(span: DaySpan, isRough: boolean): DaySpan {
  const days = isRough ? Math.max(3, Math.round(lengthOf(span) / 2)) : 1;
  return { from: addDays(span.from, -days), to: addDays(span.to, days) };
}

/** "the July invoice", "our 2019 trip" */
const attributive = reduction(
  String.raw`(?<=\b(?:the|our|my|your|his|her|their) )<T>(?= (?!(?:and|or|of|on|in|at|to|for|from|with|is|are|was|were|did|do|does|has|have|had)\b)[a-z])`,
  ({ input, index }, [term]) => {
    const isNamed = term?.kind === 'month' || term?.kind === 'year' || /^Q[1-4]$/.test(term?.phrase ?? '');
    // Case tells "the 2019 trip" from "my 2019 Honda".
    const isNoun = /^[a-z]/.test(input.slice(index + 2));
    return term && isNamed && !term.isClear && isNoun ? { ...term, isClear: true } : undefined;
  },
);

/** "July?", "What about 2022?" */
const wholeQuestion = reduction(
  String.raw`(?<=^\W{0,20}(?:(?:and|so|(?:what|how|tell me|anything|everything) about|(?:anything|everything) from) )?(?:the )?)<T>(?=\W{0,20}$)`,
  (_, [term]) => (term && !term.isClear && !term.isName ? { ...term, isClear: true } : undefined),
);

/** A word in front tells a date from a name. */
export const clarifications: readonly Reduction[] = [prepositional, attributive, wholeQuestion];
