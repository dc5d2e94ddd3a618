import { hash32 } from '../text/hash.ts';
import { words } from '../text/words.ts';
import { chatCompletion, completionOf, tokensOf } from './chat-completion.ts';
import { defaultReply } from './default-reply.ts';
import type { ModelFault, PlainReply, ReplyBook } from './model-reply.ts';
import { documentsOf, inputsOf, type ModelRequest } from './model-request.ts';
export interface AnswerOptions {
  /** Length of the vectors, unless a request asks for another; 64 by default. */
  readonly dimensions?: number;
  /** Requests with another key get 401. */
  readonly apiKey?: string;
  /** Which parts of the protocol the server supports; all by default. */
  readonly abilities?: Partial<ServerAbilities>;
}

/** The response: a body, or a failure. */
export type Answer = { readonly body: object } | ModelFault;

const usualDimensions = 64;

/** The answer to a request: the reply that was set for it, or a default one. */
export async function answerTo(request: ModelRequest, options: AnswerOptions, replies: ReplyBook): Promise<Answer> {
  if (!hasKey(request, options)) return { fault: 'unauthorized' };
  const missing = refusalOf(request.body, options.abilities ?? {});
  if (missing !== undefined) return { fault: 'bad-request', message: missing };
  const written = replies.find(request);
  if (written !== undefined && isServerFault(written)) return written;
  if (request.task === 'rerank') return reranking(request, written);
  return request.task === 'embed'
    ? embeddings(request, written, options)
    : completion(request, written ?? (await defaultReply(request)));
}

function hasKey({ headers }: ModelRequest, { apiKey }: AnswerOptions): boolean {
  return apiKey === undefined || headers.authorization === `Bearer ${apiKey}`;
}

function isServerFault(reply: PlainReply): reply is ModelFault {
  return typeof reply === 'object' && 'fault' in reply && completionOf(reply) === undefined;
}

/** A `json` reply is the whole body here. */
function embeddings(request: ModelRequest, written: PlainReply | undefined, { dimensions }: AnswerOptions): Answer {
  if (typeof written === 'object' && 'json' in written) return { body: Object(written.json) };
  const asked = request.body.dimensions;
  return { body: embeddingList(request, typeof asked === 'number' ? asked : (dimensions ?? usualDimensions)) };
}

/** A `json` reply is the whole body here too. */
function reranking(request: ModelRequest, written: PlainReply | undefined): Answer {
  if (typeof written === 'object' && 'fault' in written) return written;
  return { body: typeof written === 'object' && 'json' in written ? Object(written.json) : rankedList(request) };
}

function completion(request: ModelRequest, reply: PlainReply): Answer {
  const said = completionOf(reply);
  if (said === undefined) return { fault: 'server-error', message: 'The stand-in has no such reply.' };
  return { body: chatCompletion(said, request) };
}

/** The body of a rerank response, best first: scores by the words that a text shares with the query. */
function rankedList({ body }: ModelRequest): object {
  const wanted = new Set(words(String(body.query ?? '')));
  const scores = documentsOf(body)
    .map((text, index) => ({ index, score: shareOf(wanted, new Set(words(text))) }))
    .sort((left, right) => right.score - left.score);
  if (body.documents === undefined) return scores;
  return { results: scores.map(({ index, score }) => ({ index, relevance_score: score })), usage: { total_tokens: 7 } };
}

function shareOf(wanted: ReadonlySet<string>, has: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : wanted.intersection(has).size / wanted.size;
}

const slotsPerWord = 4;

/** The body of an embeddings response: deterministic, and similar for texts that share words. */
function embeddingList({ body }: ModelRequest, dimensions: number): object {
  const inputs = inputsOf(body);
  const isBase64 = body.encoding_format === 'base64';
  const data = inputs.map((text, index) => {
    const vector = vectorOf(text, dimensions);
    return {
      object: 'embedding',
      index,
      embedding: isBase64 ? Buffer.from(vector.buffer).toString('base64') : [...vector],
    };
  });
  const tokens = inputs.reduce((sum, text) => sum + tokensOf(text), 0);
  return {
    object: 'list',
    data,
    model: String(body.model ?? 'stand-in'),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of [...words(text), '']) {
    for (let slot = 0; slot < slotsPerWord; slot += 1) {
      const hash = hash32(word, slot);
      const place = hash % dimensions;
      vector[place] = (vector[place] ?? 0) + (hash & 0x80000000 ? -1 : 1);
    }
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.fill(1 / Math.sqrt(dimensions)) : vector.map((value) => value / length);
}

/** Parts of the protocol that not every server supports. A request that needs a missing one gets 400, as from real servers. */
interface ServerAbilities {
  readonly jsonSchema: boolean;
  readonly jsonObject: boolean;
  readonly temperature: boolean;
  /** Whether requests may set the vector length. */
  readonly dimensions: boolean;
  /** Whether texts to rerank may be called `documents`; where not, they are `texts`, and a bare list is the answer. */
  readonly documents: boolean;
}

/** The error message for a request that needs a missing part of the protocol; undefined when it needs none. */
function refusalOf(body: Readonly<Record<string, unknown>>, abilities: Partial<ServerAbilities>): string | undefined {
  const format = (body.response_format as { type?: unknown } | undefined)?.type;
  if (abilities.jsonSchema === false && format === 'json_schema')
    return "Invalid value for 'response_format': 'json_schema' is not supported";
  if (abilities.jsonObject === false && format === 'json_object')
    return "Invalid value for 'response_format': 'json_object' is not supported";
  if (abilities.temperature === false && body.temperature !== undefined)
    return "Unsupported value: 'temperature' does not support this value with this model.";
  if (abilities.dimensions === false && body.dimensions !== undefined)
    return 'This model does not support matryoshka representation, changing output dimensions is not possible.';
  if (abilities.documents === false && body.documents !== undefined)
    return 'Failed to deserialize the JSON body into the target type: missing field `texts`';
  return undefined;
}
