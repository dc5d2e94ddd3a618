import type { MemoryEventOf, RecordedFact, SubmittedItem } from '@mneme/contracts';
import { splitBySize } from '@mneme/event-store';
import { type EmbeddingModel, type ExtractedFact, type FactExtractor, ModelError } from '@mneme/models';
import { embedAll } from '../vectors/vector-text.ts';
import type { Operation, OperationRef } from './operation-decider.ts';

/** The models that turn text into facts with vectors. */
export interface FactModels {
  readonly extractor: FactExtractor;
  readonly embeddings: EmbeddingModel;
}

interface ItemFact {
  readonly item: number;
  readonly context: string | null;
  readonly fact: ExtractedFact;
  readonly source: string | undefined;
  /** ISO 8601 in UTC; of the fact where it has one, else of the item. */
  readonly eventDate: string;
}

/**
 * Extracts and embeds the facts of a batch.
 * @param submittedAt ISO 8601; the date of items that have none of their own.
 * @throws whatever a model throws; nothing is recorded then.
 */
export async function batchFacts(
  operation: Pick<Operation, 'items'>,
  submittedAt: string,
  models: FactModels,
  signal: AbortSignal,
): Promise<readonly RecordedFact[]> {
  const itemFacts = async ({ content, eventDate, context }: SubmittedItem, item: number): Promise<ItemFact[]> => {
    const date = eventDate ?? submittedAt;
    const facts = await models.extractor
      .extract({ content, eventDate: date, context }, signal)
      .catch((error: unknown) => Promise.reject(naming(error, item, operation.items.length)));
    const source = sourceOf(content, models.extractor);
    return facts.map((fact) => ({ item, context, fact, source, eventDate: fact.eventDate ?? toUtc(date) }));
  };
  const extracted: ItemFact[] = [];
  for (let start = 0; start < operation.items.length; start += itemsAtOnce) {
    const items = operation.items.slice(start, start + itemsAtOnce);
    const facts = await Promise.all(items.map((item, index) => itemFacts(item, start + index)));
    extracted.push(...facts.flat());
    await letOthersRun();
    signal.throwIfAborted();
  }
  const vectors = await embedInSlices(extracted, models.embeddings, signal);
  return extracted.map((each, index) => recordedFact(each, vectors[index]));
}

/** Says which item of a batch a model has failed for. */
function naming(error: unknown, item: number, items: number): unknown {
  if (!(error instanceof ModelError) || items === 1) return error;
  return new ModelError(error.code, `Item ${item + 1} of ${items}: ${error.message}`, error);
}

/** So many items are extracted side by side; the models bound their calls themselves. */
const itemsAtOnce = 16;
/** Longer items say too much beside one fact to be searched with it, in UTF-16 code units. */
const maxSourceLength = 1_000;

/** The facts as the events that complete an operation: as many parts as the size of a message asks for, one at least. */
export function factsExtracted(
  ref: OperationRef,
  documentId: string | null,
  facts: readonly RecordedFact[],
  models: FactModels,
  maxBytes: number,
): readonly MemoryEventOf<'FactsExtracted'>[] {
  const bySize = facts.length === 0 ? [[]] : splitBySize(facts, jsonBytes, maxBytes);
  const parts = bySize.flatMap(inPieces);
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
      facts: [...part],
    };
    firstFact += part.length;
    return { type: 'FactsExtracted', data };
  });
}

/** So many facts of one event are projected in one transaction, however small they are. */
const maxFactsPerEvent = 500;

function inPieces(facts: readonly RecordedFact[]): readonly (readonly RecordedFact[])[] {
  const count = Math.max(1, Math.ceil(facts.length / maxFactsPerEvent));
  return Array.from({ length: count }, (_, index) =>
    facts.slice(index * maxFactsPerEvent, (index + 1) * maxFactsPerEvent),
  );
}

/** An extractor without a prompt takes sentences as they are; what a model writes may leave words out. */
function sourceOf(content: string, { promptVersion }: FactExtractor): string | undefined {
  return promptVersion === undefined || content.length > maxSourceLength ? undefined : content;
}

function promptOf({ promptVersion }: FactExtractor): { promptVersion?: string } {
  return promptVersion === undefined ? {} : { promptVersion };
}

/** So many texts are embedded before other requests of the process get their turn. */
const embeddingSlice = 64;

async function embedInSlices(
  facts: readonly ItemFact[],
  embeddings: EmbeddingModel,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const vectors: string[] = [];
  for (let start = 0; start < facts.length; start += embeddingSlice) {
    const slice = facts.slice(start, start + embeddingSlice);
    const texts = slice.map(({ fact, eventDate }) => ({ text: fact.text, eventDate }));
    vectors.push(...(await embedAll(embeddings, texts, signal)));
    await letOthersRun();
    signal.throwIfAborted();
  }
  return vectors;
}

function recordedFact({ item, context, fact, source, eventDate }: ItemFact, vector = ''): RecordedFact {
  const { text, factType, entities } = fact;
  const recorded = { item, context, text, factType, entities: [...entities], eventDate, vector };
  return source === undefined || source === text ? recorded : { ...recorded, source };
}

function toUtc(date: string): string {
  return new Date(date).toISOString();
}

function jsonBytes(fact: RecordedFact): number {
  return Buffer.byteLength(JSON.stringify(fact)) + 1;
}

function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
