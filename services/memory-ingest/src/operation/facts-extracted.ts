import type { MemoryEventOf, RecordedFact } from '@mneme/contracts';
import type { BatchFacts, FactModels } from './batch-facts.ts';
import type { OperationRef } from './decider.ts';

/** A read model applies the facts of one event together while other events wait. */
const maxFactsPerEvent = 100;
/** Reserved for the other fields of an event, in bytes. */
const headBytes = 4_096;

/**
 * Makes the events that complete an operation: at least one part, and as many as the size of a message requires. Each part
 * has the contexts of its own items.
 */
export function factsExtracted(
  ref: OperationRef,
  documentId: string | null,
  { facts, contexts }: BatchFacts,
  models: FactModels,
  maxBytes: number,
): readonly MemoryEventOf<'FactsExtracted'>[] {
  const { name, promptVersion } = models.extractor;
  const parts = partsOf(facts, contexts, maxBytes - headBytes);
  let firstFact = 0;
  return parts.map((part, index) => {
    const data = {
      ...ref,
      documentId,
      extractor: name,
      ...(promptVersion !== undefined && { promptVersion }),
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

/** Cuts the facts into runs that fit together with the contexts of their items. */
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
    // The facts of an item are consecutive.
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

/** The size as JSON with its separator. Base64 needs no escaping, so the vector is not serialized to measure it. */
function factBytes(fact: RecordedFact): number {
  return Buffer.byteLength(JSON.stringify({ ...fact, vector: '' })) + fact.vector.length + 1;
}

/** The size as a member of a JSON object, with the index of the item as its key. */
function contextBytes(context: string | undefined): number {
  return context === undefined ? 0 : Buffer.byteLength(JSON.stringify(context)) + 16;
}
