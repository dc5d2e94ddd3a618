import type { MemoryEventOf, RecordedFact } from '@mneme/contracts';
import { splitBySize } from '@mneme/event-store';
import type { EmbeddingModel, ExtractedFact, FactExtractor } from '@mneme/models';
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
  const extracted: ItemFact[] = [];
  for (const [index, { content, eventDate, context }] of operation.items.entries()) {
    const date = eventDate ?? submittedAt;
    const facts = await models.extractor.extract({ content, eventDate: date, context }, signal);
    for (const fact of facts) extracted.push({ item: index, context, fact, eventDate: fact.eventDate ?? toUtc(date) });
    await letOthersRun();
    signal.throwIfAborted();
  }
  const vectors = await embedInSlices(extracted, models.embeddings, signal);
  return extracted.map((each, index) => recordedFact(each, vectors[index]));
}

/** The facts as the events that complete an operation: as many parts as the size of a message asks for, one at least. */
export function factsExtracted(
  ref: OperationRef,
  documentId: string | null,
  facts: readonly RecordedFact[],
  models: FactModels,
  maxBytes: number,
): readonly MemoryEventOf<'FactsExtracted'>[] {
  const parts = facts.length === 0 ? [[]] : splitBySize(facts, jsonBytes, maxBytes);
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

function recordedFact({ item, context, fact, eventDate }: ItemFact, vector = ''): RecordedFact {
  const { text, factType, entities } = fact;
  return { item, context, text, factType, entities: [...entities], eventDate, vector };
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
