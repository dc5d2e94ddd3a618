import { createRuleExtractor, type ExtractedFact } from '@mneme/models';
import type { PastedText } from './pasted-texts.ts';
import { createSpeakerFinder } from './speaker-of-statement.ts';

/** What a reader of a text takes for one fact. */
export interface ReadFact {
  readonly text: string;
  readonly kind: 'world' | 'experience' | 'opinion';
  /** ISO 8601, day first. */
  readonly date: string | undefined;
  /** Who says a piece of the fact; null for nobody, or nobody that the text is known to have. */
  speakerOf(says: string): string | null;
  /** Whether this word is taken for somebody who speaks. */
  hasSpeaker(word: string): boolean;
}

/** Turns a pasted text into facts. */
export type Reader = (text: PastedText, storedAt: string) => Promise<readonly ReadFact[]>;

const kinds = { world: 'world', agent: 'experience', opinion: 'opinion' } as const;

/** The extraction without a language model. */
export function createRuleReader(): Reader {
  const extractor = createRuleExtractor();
  return async (text, storedAt) => {
    const content = text.lines.join('\n');
    const facts = await extractor.extract({
      content,
      eventDate: storedAt,
      context: null,
      ...(text.role && { role: text.role }),
      ...(text.agent && { agentName: text.agent }),
    });
    const finder = createSpeakerFinder(text);
    return facts.map((fact) => ({
      text: fact.text,
      kind: kinds[fact.factType],
      date: fact.eventDate ?? undefined,
      speakerOf: (says) => finder.speakerOf(fact.text, says),
      hasSpeaker: (word) => isPerson(word, fact) || finder.isSpread(fact.text, word),
    }));
  };
}

function isPerson(word: string, { entities }: ExtractedFact): boolean {
  return entities.some(({ name, type }) => type === 'PERSON' && name === word);
}

/**
 * The floor: each line is a fact, what stands before its first colon is its speaker, it happened when it was stored, and
 * what nobody says in the first person is the agent's own.
 */
export const readNaively: Reader = async ({ lines }, storedAt) =>
  lines.map((line) => {
    const colon = line.indexOf(':');
    const speaker = colon < 1 ? null : line.slice(0, colon).trim();
    return {
      text: line,
      kind: speaker === null || speaker.toLowerCase() === 'assistant' ? naiveKind(line) : 'world',
      date: storedAt,
      speakerOf: () => speaker,
      hasSpeaker: (word) => speaker === word,
    };
  });

function naiveKind(line: string): ReadFact['kind'] {
  if (/\bI (?:think|believe|prefer|like|love|hate)\b/i.test(line)) return 'opinion';
  return /\bI\b/.test(line) ? 'experience' : 'world';
}
