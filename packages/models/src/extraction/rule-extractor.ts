import { setImmediate } from 'node:timers/promises';
import { annotateDates } from '../dates/annotate-dates.ts';
import { type ItemDate, isSameDay, noonOf, readItemDate } from '../dates/calendar.ts';
import type { ExtractedFact, FactExtractor } from '../ports.ts';
import { createEntityFinder, type EntityFinder } from './entity-finder.ts';
import { type FactDraft, groupFacts } from './fact-groups.ts';
import { createLexicon } from './lexicon.ts';

/** So many facts of an item are found before other work of the process gets its turn. */
const factsPerTurn = 16;
/** Neither space, nor control character, nor any other that leaves nothing to see. */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** Finds facts by rules for English; needs no model, no network and no clock: the same item always gives the same facts. */
export function createRuleExtractor(): FactExtractor {
  const lexicon = createLexicon();
  return {
    name: 'mneme-rules-v1',
    extract: async (item, signal) => {
      signal?.throwIfAborted();
      const content = item.content.toWellFormed().trim();
      if (!visible.test(content)) return [];
      const date = readItemDate(item.eventDate);
      const entities = createEntityFinder(lexicon);
      const facts: ExtractedFact[] = [];
      for (const draft of groupFacts(content)) {
        facts.push(complete(draft, date, entities));
        if (facts.length % factsPerTurn === 0) await setImmediate();
        signal?.throwIfAborted();
      }
      return facts;
    },
  };
}

function complete(draft: FactDraft, date: ItemDate | undefined, entities: EntityFinder): ExtractedFact {
  const dated = annotateDates(draft.text, date);
  const [day, ...otherDays] = dated.days;
  const isElsewhen = date !== undefined && day !== undefined && otherDays.length === 0 && !isSameDay(day, date.day);
  return {
    text: dated.text,
    factType: draft.factType,
    eventDate: isElsewhen ? noonOf(day, date.offsetMinutes) : (date?.iso ?? null),
    entities: entities.find(draft.text, draft.speakers),
  };
}
