import { fixedDayRules } from '../day-rules.ts';
import { lengthOf } from '../day-span.ts';
import type { PhraseRule } from '../find-mentions.ts';
import { periodRules } from '../period-rules.ts';
import type { Meant } from './term.ts';

/** What facts say about time, questions say too. */
export const sharedAtoms: readonly PhraseRule<Meant>[] = [...fixedDayRules, ...periodRules].map(
  ({ pattern, read }) => ({
    pattern,
    read: (match, reference) => {
      const span = read(match, reference)?.span;
      return span && { kind: lengthOf(span) === 1 ? 'day' : 'period', time: span, isClear: true };
    },
  }),
);
