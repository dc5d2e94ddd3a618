import type { ItemDetails, RecordedFact, SubmittedItem } from '@mneme/contracts';
import { embedAll } from '@mneme/embedding-model';
import {
  type EmbeddingModel,
  type ExtractedFact,
  type ExtractionItem,
  type FactExtractor,
  ModelError,
  maxFacts,
  tooManyFacts,
} from '@mneme/models';
import { createTimeSlice } from '@mneme/workers/time-slices';
import type { Operation } from './decider.ts';
import type { FactsByItem } from './kept-facts.ts';

export interface FactModels {
  readonly extractor: FactExtractor;
  readonly embeddings: EmbeddingModel;
}

export interface BatchFacts {
  readonly facts: readonly RecordedFact[];
  /** The contexts of the items that have one, by the index of the item. */
  readonly contexts: ReadonlyMap<number, string>;
  /** The details of the items that have any, by the index of the item. */
  readonly details: ReadonlyMap<number, ItemDetails>;
}

interface ItemFact {
  readonly item: number;
  readonly fact: ExtractedFact;
  readonly source: string | undefined;
  /** ISO 8601 in UTC: the date of the fact if it has one, otherwise that of the item. */
  readonly eventDate: string;
}

export interface BatchFactsOptions {
  readonly signal: AbortSignal;
  /** What earlier attempts have found; what this one finds is added. */
  readonly kept: FactsByItem;
}

export type BatchOperation = Pick<Operation, 'items' | 'ref' | 'isAsync'>;

/** The most items that are extracted at once. */
const maxItemsAtOnce = 16;
/** Longer items, in UTF-16 code units, say too much beside one fact to be searched together with it. */
const maxSourceLength = 1_000;
/** The most bytes that all facts of a batch may take with their vectors, as events hold them. */
const maxFactBytes = 128 * 1024 * 1024;

/** Callers of batches of more facts do not wait for slow embeddings either, which take 10 to 20 s for that number. */
const maxFactsWithVectors = 1_000;

/**
 * Extracts and embeds the facts of a batch. If embedding is slow and the batch large, or if no one waits for it, the facts
 * have empty vectors: they can be found by their words at once, and their vectors follow.
 * @param submittedAt ISO 8601; the date of items that have none of their own
 * @throws ModelError `too-large`, before anything is embedded, when the facts of the batch do not fit into memory, and
 * whatever a model throws
 */
export async function batchFacts(
  operation: BatchOperation,
  submittedAt: string,
  models: FactModels,
  { signal, kept }: BatchFactsOptions,
): Promise<BatchFacts> {
  const extracted = await extractAll(operation, submittedAt, models, { signal, kept });
  const texts = extracted.map(({ fact }) => fact);
  const vectors = followLater(operation, extracted, models) ? [] : await embedAll(models.embeddings, texts, { signal });
  const contexts = operation.items.flatMap(({ context }, item) => (context === null ? [] : [[item, context] as const]));
  const details = operation.items.flatMap((item, index) => {
    const own = detailsOf(item);
    return own === undefined ? [] : [[index, own] as const];
  });
  return {
    facts: extracted.map((each, index) => recordedFact(each, vectors[index])),
    contexts: new Map(contexts),
    details: new Map(details),
  };
}

function detailsOf({ role, metadata }: SubmittedItem): ItemDetails | undefined {
  if (role === undefined && metadata === undefined) return undefined;
  return { ...(role !== undefined && { role }), ...(metadata !== undefined && { metadata }) };
}

function followLater({ isAsync }: BatchOperation, facts: readonly ItemFact[], { embeddings }: FactModels): boolean {
  return embeddings.isSlow && (isAsync || facts.length > maxFactsWithVectors);
}

async function extractAll(
  { items, ref }: BatchOperation,
  submittedAt: string,
  models: FactModels,
  { signal, kept }: BatchFactsOptions,
): Promise<readonly ItemFact[]> {
  const askModel = async (item: number, input: ExtractionItem) => {
    const facts = await models.extractor
      .extract(input, signal)
      .catch((error: unknown) => Promise.reject(namingItem(error, item, items.length)));
    // The built-in model costs less than the memory for its facts.
    if (models.extractor.promptVersion !== undefined) kept.set(item, facts);
    return facts;
  };
  const itemFacts = async (submitted: SubmittedItem, item: number): Promise<ItemFact[]> => {
    const { content, eventDate, context, role, extract = true } = submitted;
    if (!extract) return [];
    const date = eventDate ?? submittedAt;
    // The agent's id is the name by which it speaks in transcripts.
    const known = { ...(ref && { agentName: ref.agentId }), ...(role && { role }) };
    const facts = kept.get(item) ?? (await askModel(item, { content, eventDate: date, context, ...known }));
    const source = sourceOf(content, models.extractor);
    return facts.map((fact) => ({ item, fact, source, eventDate: fact.eventDate ?? new Date(date).toISOString() }));
  };
  const extracted: ItemFact[][] = items.map(() => []);
  const limit = createFactLimit(models.embeddings.dimensions);
  const left = [...items.entries()].reverse();
  const slice = createTimeSlice();
  const extractNext = async () => {
    try {
      for (let next = left.pop(); next; next = left.pop()) {
        const [item, submitted] = next;
        const facts = await itemFacts(submitted, item);
        for (const fact of facts) limit.count(fact);
        extracted[item] = facts;
        if (slice.isOver()) await slice.next();
        signal.throwIfAborted();
      }
    } catch (error) {
      // No model is asked about the rest of a batch that fails.
      left.length = 0;
      throw error;
    }
  };
  const { itemsAtOnce = maxItemsAtOnce } = models.extractor;
  const workers = Array.from({ length: Math.min(itemsAtOnce, maxItemsAtOnce) }, extractNext);
  try {
    await Promise.all(workers);
  } catch (error) {
    // What is being asked is paid for: it is kept for the next attempt.
    if (error instanceof ModelError && error.isPassing) await Promise.allSettled(workers);
    throw error;
  }
  return extracted.flat();
}

/** Limits the number and the size of the facts of one batch. */
function createFactLimit(dimensions: number) {
  // A number takes four bytes, and base64 makes four characters of three bytes.
  const vectorBytes = Math.ceil((dimensions * 4 * 4) / 3);
  let facts = 0;
  let bytes = 0;
  return {
    /** @throws ModelError `too-large` when there are too many, or they are too large together */
    count: ({ fact, source = '' }: ItemFact) => {
      facts += 1;
      bytes += vectorBytes + Buffer.byteLength(fact.text) + Buffer.byteLength(source);
      if (facts > maxFacts) throw tooManyFacts(maxFacts);
      if (bytes > maxFactBytes)
        throw new ModelError(
          'too-large',
          `The facts of the batch take more than ${maxFactBytes} bytes with their vectors. Send it in several batches.`,
        );
    },
  };
}

/** Adds to a model's error for which item of the batch it failed. */
function namingItem(error: unknown, item: number, items: number): unknown {
  if (!(error instanceof ModelError) || items === 1) return error;
  return new ModelError(error.code, `Item ${item + 1} of ${items}: ${error.message}`, error);
}

/** The source is kept for facts that a model has written, since they may leave words out; other extractors keep sentences. */
function sourceOf(content: string, { promptVersion }: FactExtractor): string | undefined {
  return promptVersion === undefined || content.length > maxSourceLength ? undefined : content;
}

function recordedFact({ item, fact, source, eventDate }: ItemFact, vector = ''): RecordedFact {
  const { text, factType, entities } = fact;
  const recorded = { item, text, factType, entities: [...entities], eventDate, vector };
  return source === undefined || source === text ? recorded : { ...recorded, source };
}
