import type { RecordedFact, SubmittedItem } from '@mneme/contracts';
import {
  type EmbeddingModel,
  type ExtractedFact,
  type FactExtractor,
  ModelError,
  maxFacts,
  tooManyFacts,
} from '@mneme/models';
import { embedAll } from '../embedding/embed-all.ts';
import type { Operation } from './decider.ts';

/** The models that turn text into facts with vectors. */
export interface FactModels {
  readonly extractor: FactExtractor;
  readonly embeddings: EmbeddingModel;
}

/** What a batch says. */
export interface BatchFacts {
  readonly facts: readonly RecordedFact[];
  /** Of the items that have one, by their place. */
  readonly contexts: ReadonlyMap<number, string>;
}

interface ItemFact {
  readonly item: number;
  readonly fact: ExtractedFact;
  readonly source: string | undefined;
  /** ISO 8601 in UTC; of the fact where it has one, else of the item. */
  readonly eventDate: string;
}

/** So many items are extracted side by side; the models bound their calls themselves. */
const itemsAtOnce = 16;
/** Longer items say too much beside one fact to be searched with it, in UTF-16 code units. */
const maxSourceLength = 1_000;
/** All facts of a batch with their vectors, as events hold them, in bytes. */
const maxFactBytes = 128 * 1024 * 1024;

/**
 * Extracts and embeds the facts of a batch.
 * @param submittedAt ISO 8601; the date of items that have none of their own.
 * @throws ModelError `too-large` when the batch yields more than can be kept at once, before anything is embedded, and whatever
 * a model throws; nothing is recorded then.
 */
export async function batchFacts(
  operation: Pick<Operation, 'items'>,
  submittedAt: string,
  models: FactModels,
  signal: AbortSignal,
): Promise<BatchFacts> {
  const extracted = await extractAll(operation.items, submittedAt, models, signal);
  const vectors = await embedInSlices(extracted, models.embeddings, signal);
  const contexts = operation.items.flatMap(({ context }, item) => (context === null ? [] : [[item, context] as const]));
  return {
    facts: extracted.map((each, index) => recordedFact(each, vectors[index])),
    contexts: new Map(contexts),
  };
}

async function extractAll(
  items: readonly SubmittedItem[],
  submittedAt: string,
  models: FactModels,
  signal: AbortSignal,
): Promise<readonly ItemFact[]> {
  const itemFacts = async ({ content, eventDate, context }: SubmittedItem, item: number): Promise<ItemFact[]> => {
    const date = eventDate ?? submittedAt;
    const facts = await models.extractor
      .extract({ content, eventDate: date, context }, signal)
      .catch((error: unknown) => Promise.reject(naming(error, item, items.length)));
    const source = sourceOf(content, models.extractor);
    return facts.map((fact) => ({ item, fact, source, eventDate: fact.eventDate ?? toUtc(date) }));
  };
  const extracted: ItemFact[] = [];
  const room = createRoom(models.embeddings.dimensions);
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    const group = items.slice(start, start + itemsAtOnce);
    for (const facts of await Promise.all(group.map((item, index) => itemFacts(item, start + index)))) {
      for (const fact of facts) {
        room.take(fact);
        extracted.push(fact);
      }
    }
    await letOthersRun();
    signal.throwIfAborted();
  }
  return extracted;
}

/** Counts what the facts of a batch take. */
function createRoom(dimensions: number) {
  // Four bytes a number, of which base64 makes four characters for each three.
  const vectorBytes = Math.ceil((dimensions * 4 * 4) / 3);
  let facts = 0;
  let bytes = 0;
  return {
    /** @throws ModelError `too-large` when there are too many, or they are too large together */
    take: ({ fact, source = '' }: ItemFact) => {
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

/** Says which item of a batch a model has failed for. */
function naming(error: unknown, item: number, items: number): unknown {
  if (!(error instanceof ModelError) || items === 1) return error;
  return new ModelError(error.code, `Item ${item + 1} of ${items}: ${error.message}`, error);
}

/** An extractor without a prompt takes sentences as they are; what a model writes may leave words out. */
function sourceOf(content: string, { promptVersion }: FactExtractor): string | undefined {
  return promptVersion === undefined || content.length > maxSourceLength ? undefined : content;
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

function recordedFact({ item, fact, source, eventDate }: ItemFact, vector = ''): RecordedFact {
  const { text, factType, entities } = fact;
  const recorded = { item, text, factType, entities: [...entities], eventDate, vector };
  return source === undefined || source === text ? recorded : { ...recorded, source };
}

function toUtc(date: string): string {
  return new Date(date).toISOString();
}

function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
