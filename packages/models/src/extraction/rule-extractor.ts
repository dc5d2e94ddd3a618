import { annotateDates } from '../dates/annotate-dates.ts';
import { type ItemDate, isSameDay, noonOf, readItemDate } from '../dates/calendar.ts';
import { maxFacts, tooManyFacts } from '../model-error.ts';
import type { ExtractedFact, FactExtractor } from '../ports.ts';
import { createEntityFinder, type EntityFinder } from './entity-finder.ts';
import { type FactDraft, groupFacts } from './fact-groups.ts';
import { createLexicon } from './lexicon.ts';

/** A character that is neither white space, nor a control character, nor invisible. */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/**
 * Extracts facts with rules for English. Deterministic: the same item always yields the same facts. Runs without yielding
 * to the event loop, so long texts belong in a worker.
 *
 * @throws ModelError `too-large` when an item holds more than 20 000 facts
 */
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
        if (facts.length === maxFacts) throw tooManyFacts(maxFacts);
        facts.push(complete(draft, date, entities));
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
