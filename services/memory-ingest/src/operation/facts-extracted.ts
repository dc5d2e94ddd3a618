import type { MemoryEventOf, RecordedFact } from '@mneme/contracts';
import type { FactExtractor } from '@mneme/models';
import type { BatchFacts, FactModels } from './batch-facts.ts';
import type { OperationRef } from './decider.ts';

/** So many facts of one event are applied by a read model in one go, while others wait. */
const maxFactsPerEvent = 100;
/** Kept free for what an event holds beside its facts, in bytes. */
const headBytes = 4_096;

/**
 * The facts as the events that complete an operation: as many parts as the size of a message asks for, one at least. Each
 * part has the contexts of its own items.
 */
export function factsExtracted(
  ref: OperationRef,
  documentId: string | null,
  { facts, contexts }: BatchFacts,
  models: FactModels,
  maxBytes: number,
): readonly MemoryEventOf<'FactsExtracted'>[] {
  const parts = partsOf(facts, contexts, maxBytes - headBytes);
  let firstFact = 0;
  return parts.map((part, index) => {
    const data = {
      ...ref,
      documentId,
      extractor: models.extractor.name,
      ...promptOf(models.extractor),
      embeddingModel: models.embeddings.name,
      part: index,
      parts: parts.length,
      firstFact,
      facts: part,
      contexts: contextsOf(part, contexts),
    };
    firstFact += part.length;
    return { type: 'FactsExtracted', data };
  });
}

/** Runs of facts, each of which fits with the contexts of its items. */
function partsOf(
  facts: readonly RecordedFact[],
  contexts: ReadonlyMap<number, string>,
  maxBytes: number,
): readonly RecordedFact[][] {
  let part: RecordedFact[] = [];
  const parts = [part];
  let bytes = 0;
  let lastItem = -1;
  let context = 0;
  for (const fact of facts) {
    const own = factBytes(fact);
    // The facts of an item stand together.
    const isOfNextItem = fact.item !== lastItem;
    if (isOfNextItem) context = contextBytes(contexts.get(fact.item));
    const added = own + (isOfNextItem ? context : 0);
    if (part.length > 0 && (bytes + added > maxBytes || part.length === maxFactsPerEvent)) {
      part = [];
      parts.push(part);
      bytes = own + context;
    } else {
      bytes += added;
    }
    part.push(fact);
    lastItem = fact.item;
  }
  return parts;
}

function contextsOf(part: readonly RecordedFact[], contexts: ReadonlyMap<number, string>): Record<string, string> {
  const ofPart: Record<string, string> = {};
  for (const { item } of part) {
    const context = contexts.get(item);
    if (context !== undefined) ofPart[item] = context;
  }
  return ofPart;
}

/** As JSON, with its separator. Base64 stays as it is in JSON; the rest is a few hundred bytes. */
function factBytes(fact: RecordedFact): number {
  return Buffer.byteLength(JSON.stringify({ ...fact, vector: '' })) + fact.vector.length + 1;
}

/** As a member of a JSON object, with its place as the key. */
function contextBytes(context: string | undefined): number {
  return context === undefined ? 0 : Buffer.byteLength(JSON.stringify(context)) + 16;
}

function promptOf({ promptVersion }: FactExtractor): { promptVersion?: string } {
  return promptVersion === undefined ? {} : { promptVersion };
}
