import { chunks } from '@mneme/workers/chunks';
import { saidIn } from '../client/failure.ts';
import { inParallel } from '../client/request-policy.ts';
import type { ModelId } from '../langchain/chat.ts';
import type { Embedder } from '../langchain/langchain-embeddings.ts';
import { ModelError, otherLength } from '../model-error.ts';
import type { ModelUsage } from '../models.ts';
import type { Calibration, EmbeddingModel, Urgency } from '../ports.ts';
import { embeddedText } from '../text/embedded-text.ts';
import { createMostTexts } from './most-texts.ts';
import type { Policies } from './policy.ts';

export interface ServedEmbeddingsOptions {
  readonly id: ModelId;
  /** Determined with one request when undefined, unless the server does not answer and `stored` is known. */
  readonly dimensions: number | undefined;
  /** The length of the stored vectors of this name, if it is known. */
  readonly stored: number | undefined;
  readonly calibration: Calibration;
  readonly embedder: Embedder;
  readonly policies: Policies;
  readonly onUsage: (usage: ModelUsage) => void;
}

/** Characters, in most languages well below the 8,191 tokens that OpenAI's models accept. */
const longestText = 8_000;
/** A server that refuses longer texts gets their first half, and if need be the half of that. */
const shortestCut = longestText / 4;
const largestBatch = 128;
const batchesAtOnce = 4;

/**
 * Embeddings from a server. Blank texts are not sent.
 *
 * @throws ModelError when the vector length is not known and cannot be determined, or is another one than the stored
 */
export async function createServedEmbeddings(options: ServedEmbeddingsOptions): Promise<EmbeddingModel> {
  const { id, dimensions: wanted } = options;
  const request = createRequest(options);
  const dimensions = wanted ?? (await determineLength(request, options));
  return {
    // Shortened vectors cannot be compared with full ones.
    name: wanted === undefined ? id.text : `${id.text}@${wanted}`,
    dimensions,
    calibration: options.calibration,
    isSlow: false,
    isServed: true,
    textOf: embeddedText,
    embed: async (texts, signal, urgency = 'batch') => {
      signal?.throwIfAborted();
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions));
      const visible = [...texts.entries()].flatMap(([index, text]) =>
        text.trim() === '' ? [] : [{ index, text: startOf(text, longestText) }],
      );
      const batches = chunks(visible, largestBatch);
      await inParallel(
        batches,
        batchesAtOnce,
        async (batch, inner) => {
          const found = await request(
            batch.map(({ text }) => text),
            urgency,
            inner,
          );
          for (const [i, { index }] of batch.entries())
            vectors[index] = normalised(found[i] ?? [], dimensions, options);
        },
        signal,
      );
      return vectors;
    },
  };
}

/** How long a start waits for a server whose vectors have a known length, in milliseconds. */
const knownWaitMs = 5_000;

/** A server that does not answer is not needed at start if the length is known; each of its vectors is checked later. */
async function determineLength(
  request: ReturnType<typeof createRequest>,
  { id, stored }: ServedEmbeddingsOptions,
): Promise<number> {
  const signal = stored === undefined ? undefined : AbortSignal.timeout(knownWaitMs);
  try {
    const [vector = []] = await request(['How long is a vector?'], 'question', signal);
    if (vector.length === 0) throw withoutNumbers(id);
    if (stored !== undefined && vector.length !== stored) throw otherLength(id.text, stored, vector.length);
    return vector.length;
  } catch (error) {
    const isAway = signal?.aborted === true || (error instanceof ModelError && error.isPassing);
    if (stored === undefined || !isAway) throw error;
    return stored;
  }
}

function createRequest({ id, dimensions, embedder, policies, onUsage }: ServedEmbeddingsOptions) {
  let asksForDimensions = dimensions !== undefined;

  async function once(texts: readonly string[], urgency: Urgency, signal: AbortSignal | undefined) {
    const asked = asksForDimensions ? dimensions : undefined;
    const { vectors, inputTokens } = await policies[urgency].run(
      id.text,
      (attempt) => embedder({ texts, dimensions: asked, signal: attempt }),
      signal,
    );
    onUsage({ task: 'embed', model: id.text, inputTokens, outputTokens: 0 });
    if (vectors.length !== texts.length)
      throw new ModelError(
        'invalid-output',
        `${id.text}: the server gave ${vectors.length} vectors for ${texts.length} texts.`,
      );
    return vectors;
  }

  async function withAcceptedFields(texts: readonly string[], urgency: Urgency, signal: AbortSignal | undefined) {
    try {
      return await once(texts, urgency, signal);
    } catch (error) {
      if (!asksForDimensions || !refusesDimensions(error)) throw error;
      asksForDimensions = false;
      return await once(texts, urgency, signal);
    }
  }

  const mostTexts = createMostTexts(largestBatch);

  /** Of several texts, only those are cut that the server refuses alone. */
  async function inParts(texts: readonly string[], urgency: Urgency, signal: AbortSignal | undefined): Promise<Found> {
    if (texts.length > mostTexts.current())
      return joined(await inTurn(chunks(texts, mostTexts.current()), urgency, signal));
    try {
      const vectors = await withAcceptedFields(texts, urgency, signal);
      mostTexts.taken(texts);
      return { vectors, isWhole: true };
    } catch (error) {
      const areShort = texts.every(({ length }) => length <= shortestCut);
      if (!mayBeTooLong(error) || (areShort && texts.length === 1)) throw error;
      if (texts.length === 1) return joined([await inParts(texts.map(shortened), urgency, signal)]);
      const half = Math.ceil(texts.length / 2);
      const halves = await inTurn([texts.slice(0, half), texts.slice(half)], urgency, signal);
      if (halves.every(({ isWhole }) => isWhole)) mostTexts.halved(texts, error);
      return joined(halves);
    }
  }

  async function inTurn(parts: readonly (readonly string[])[], urgency: Urgency, signal: AbortSignal | undefined) {
    const found: Found[] = [];
    for (const part of parts) found.push(await inParts(part, urgency, signal));
    return found;
  }

  return async (texts: readonly string[], urgency: Urgency, signal?: AbortSignal) =>
    (await inParts(texts, urgency, signal)).vectors;
}

interface Found {
  readonly vectors: readonly (readonly number[])[];
  /** The server has taken all texts in one request, and none was cut. */
  readonly isWhole: boolean;
}

function joined(parts: readonly Found[]): Found {
  return { vectors: parts.flatMap(({ vectors }) => vectors), isWhole: false };
}

function shortened(text: string): string {
  return startOf(text, text.length > longestText / 2 ? longestText / 2 : shortestCut);
}

const statusesOfTooLong = [400, 413, 422];
const aboutLength = /long|length|large|size|token|context|maxim|limit|exceed|too many|at most/i;
const otherLanguage = /\P{ASCII}/u;

/** Servers say it with different statuses and words; one that says something else means something else. */
function mayBeTooLong(error: unknown): error is ModelError {
  if (!(error instanceof ModelError) || error.status === undefined) return false;
  if (!statusesOfTooLong.includes(error.status)) return false;
  const said = saidIn(error);
  return error.status === 413 || said === undefined || aboutLength.test(said) || otherLanguage.test(said);
}

function refusesDimensions(error: unknown): boolean {
  return error instanceof ModelError && error.code === 'configuration' && /dimension|matryoshka/i.test(error.message);
}

function startOf(text: string, characters: number): string {
  return text.slice(0, characters).toWellFormed();
}

function withoutNumbers(id: ModelId): ModelError {
  return new ModelError('invalid-output', `${id.text} gave a vector that holds no numbers.`);
}

function normalised(
  vector: readonly number[],
  dimensions: number,
  { id, dimensions: wanted }: ServedEmbeddingsOptions,
): Float32Array {
  if (vector.length !== dimensions && wanted === undefined) throw otherLength(id.text, dimensions, vector.length);
  if (vector.length !== dimensions)
    throw new ModelError(
      'configuration',
      `${id.text} gives vectors of ${vector.length} numbers, not of ${dimensions}. Check EMBEDDING_DIMENSIONS.`,
    );
  const sum = vector.reduce((total, value) => total + value * value, 0);
  // Of null, the square is 0.
  if (!Number.isFinite(sum) || !vector.every(Number.isFinite)) throw withoutNumbers(id);
  return Float32Array.from(vector, (value) => (sum === 0 ? 0 : value / Math.sqrt(sum)));
}
