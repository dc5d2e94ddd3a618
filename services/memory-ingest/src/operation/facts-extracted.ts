import type { DocumentMode, ItemDetails, MemoryEventOf, RecordedFact } from '@mneme/contracts';
import { createTimeSlice } from '@mneme/workers/time-slices';
import type { BatchFacts, FactModels } from './batch-facts.ts';
import type { OperationRef } from './decider.ts';

/** A read model applies the facts of one event together while other events wait. */
const maxFactsPerEvent = 100;
/** Reserved for the other fields of an event, in bytes. */
const headBytes = 4_096;

/** The document that a batch makes up or adds to. */
export interface BatchDocument {
  readonly documentId: string | null;
  readonly mode: DocumentMode;
}

/**
 * Makes the events that complete an operation: at least one part, and as many as the size of a message requires. Each part
 * has the contexts and the details of its own items.
 */
export async function factsExtracted(
  ref: OperationRef,
  { documentId, mode }: BatchDocument,
  batch: BatchFacts,
  models: FactModels,
  maxBytes: number,
): Promise<readonly MemoryEventOf<'FactsExtracted'>[]> {
  const { name, promptVersion } = models.extractor;
  const parts = await partsOf(batch, maxBytes - headBytes);
  let firstFact = 0;
  return parts.map((part, index) => {
    const data = {
      ...ref,
      documentId,
      ...(mode === 'append' && { mode }),
      extractor: name,
      ...(promptVersion !== undefined && { promptVersion }),
      embeddingModel: models.embeddings.name,
      part: index,
      parts: parts.length,
      firstFact,
      facts: part,
      contexts: ofItems(part, batch.contexts),
      ...(batch.details.size > 0 && { items: ofItems(part, batch.details) }),
    };
    firstFact += part.length;
    return { type: 'FactsExtracted', data };
  });
}

/** Cuts the facts into runs that fit together with the contexts and details of their items. */
async function partsOf({ facts, contexts, details }: BatchFacts, maxBytes: number): Promise<readonly RecordedFact[][]> {
  const slice = createTimeSlice();
  let part: RecordedFact[] = [];
  const parts = [part];
  let bytes = 0;
  let lastItem = -1;
  let shared = 0;
  for (const fact of facts) {
    const own = factBytes(fact);
    // The facts of an item are consecutive.
    const isOfNextItem = fact.item !== lastItem;
    if (isOfNextItem) shared = memberBytes(contexts.get(fact.item)) + memberBytes(details.get(fact.item));
    const added = own + (isOfNextItem ? shared : 0);
    if (part.length > 0 && (bytes + added > maxBytes || part.length === maxFactsPerEvent)) {
      part = [];
      parts.push(part);
      bytes = own + shared;
    } else {
      bytes += added;
    }
    part.push(fact);
    lastItem = fact.item;
    if (slice.isOver()) await slice.next();
  }
  return parts;
}

/** What the items of a part have, by the index of the item. */
function ofItems<T>(part: readonly RecordedFact[], all: ReadonlyMap<number, T>): Record<string, T> {
  const ofPart: Record<string, T> = {};
  for (const { item } of part) {
    const own = all.get(item);
    if (own !== undefined) ofPart[item] = own;
  }
  return ofPart;
}

/** The size as JSON with its separator. Base64 needs no escaping, so the vector is not serialized to measure it. */
function factBytes(fact: RecordedFact): number {
  return Buffer.byteLength(JSON.stringify({ ...fact, vector: '' })) + fact.vector.length + 1;
}

/** The size as a member of a JSON object, with the index of the item as its key. */
function memberBytes(value: string | ItemDetails | undefined): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)) + 16;
}
