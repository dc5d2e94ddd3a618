import { annotateDates } from '../dates/annotate-dates.ts';
import { type CalendarDay, type ItemDate, isSameDay, noonOf, readItemDate } from '../dates/calendar.ts';
import { createLabelReading, datedParts, type PartLabels } from '../dates/dated-lines.ts';
import { hasUnknownDay } from '../dates/numeric-day.ts';
import { maxFacts, tooManyFacts } from '../model-error.ts';
import type { Entity, ExtractedFact, FactExtractor } from '../ports.ts';
import { createEntityFinder } from './entity-finder.ts';
import { draftOf, type FactDraft, type ReadStatement } from './fact-draft.ts';
import { groupStatements, leastLength } from './fact-groups.ts';
import { createLexicon, type LexiconEntry } from './lexicon.ts';
import { isVisible } from './sentences.ts';
import type { SpeakerReading } from './speaker.ts';
import { unwrapQuotations } from './statements/blocks.ts';
import { isEnglish } from './statements/language.ts';
import { createPersonMemory } from './statements/pronouns.ts';
import { createSpeakerReading } from './statements/speaker-reading.ts';
import { statementsOf } from './statements/statements.ts';

/**
 * Extracts facts with rules for English. Deterministic: the same item always yields the same facts. Runs without yielding
 * to the event loop, so long texts belong in a worker.
 *
 * @throws ModelError `too-large` when an item holds more than 20 000 facts
 */
export function createRuleExtractor(): FactExtractor {
  const lexicon = createLexicon();
  return {
    name: 'mneme-rules-v4',
    extract: async (item, signal) => {
      signal?.throwIfAborted();
      const content = unwrapQuotations(item.content.toWellFormed().trim());
      if (!isVisible(content)) return [];
      const date = readItemDate(item.eventDate);
      const speakers = createSpeakerReading(content, item, lexicon);
      const labelsAt = date && createLabelReading(content, date, speakers.posts);
      const isInEnglish = isEnglish(content);
      const statements = readStatements(content, speakers, isInEnglish, lexicon);
      const facts: ExtractedFact[] = [];
      for (const group of groupStatements(statements, leastLength(content.length, isInEnglish))) {
        if (facts.length === maxFacts) throw tooManyFacts(maxFacts);
        const { members } = group;
        const labels = labelsAt?.(members[0]?.start ?? 0, members.at(-1)?.end ?? 0);
        facts.push(complete(draftOf(group, content), date, labels));
      }
      return facts;
    },
  };
}

/** The statements of an item with their entities and with the persons that their pronouns mean. */
function* readStatements(
  content: string,
  speakers: SpeakerReading,
  isInEnglish: boolean,
  lexicon: (name: string) => LexiconEntry,
): Generator<ReadStatement> {
  const finder = createEntityFinder(lexicon);
  const persons = createPersonMemory(lexicon);
  for (const statement of statementsOf(content, speakers, isInEnglish)) {
    const { start, bodyStart, end, speaker, kind } = statement;
    const names = finder.read(content.slice(start, end), speaker === undefined ? [] : [speaker]);
    if (!isInEnglish) {
      yield { ...statement, entities: names.entities, resolution: undefined };
      continue;
    }
    const body = content.slice(bodyStart, end);
    const resolution = kind === 'statement' ? persons.resolve(body, speaker) : undefined;
    persons.note(body, names, speaker);
    const meant: Entity[] = resolution?.name === undefined ? [] : [{ name: resolution.name, type: 'PERSON' }];
    yield { ...statement, entities: [...meant, ...names.entities], resolution };
  }
}

function complete(draft: FactDraft, itemDate: ItemDate | undefined, labels?: PartLabels): ExtractedFact {
  const date = labels?.open.at(-1)?.date ?? itemDate;
  const dated = annotateDates(draft.text, itemDate, labels);
  const ownDays = draft.own === draft.text ? dated.days : annotateDates(draft.own, itemDate, labels).days;
  const [day, ...otherDays] = ownDays.length > 0 ? ownDays : dated.days;
  const isOtherDay = date !== undefined && day !== undefined && otherDays.length === 0 && !isSameDay(day, date.day);
  const isElsewhen = isOtherDay && !namesUnknownDay(ownDays.length > 0 ? draft.own : draft.text, day, itemDate, labels);
  return {
    text: dated.text,
    factType: draft.factType,
    eventDate: isElsewhen ? noonOf(day, date.offsetMinutes) : (date?.iso ?? null),
    entities: draft.entities,
  };
}

/** Whether a text names a day that cannot be read, other than at the start of dated lines, and that may not be `known`. */
function namesUnknownDay(text: string, known: CalendarDay, itemDate?: ItemDate, labels?: PartLabels): boolean {
  if (itemDate === undefined) return false;
  const parts = datedParts(text, itemDate, labels);
  return parts.some(({ bodyStart, end }) => hasUnknownDay(text.slice(bodyStart, end), labels?.order, known));
}
