import { chatCompletion, chatCompletionChunks, completionOf } from './chat-completion.ts';
import { defaultReply } from './default-reply.ts';
import { embeddingList } from './embedding-list.ts';
import type { ModelFault, PlainReply, ReplyBook } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';
import { rankedList } from './ranked-list.ts';
import { refusalOf, type ServerAbilities } from './server-abilities.ts';

export interface AnswerOptions {
  /** Length of the vectors, unless a request asks for another; 64 unless given. */
  readonly dimensions?: number;
  /** Requests with another key get 401. */
  readonly apiKey?: string;
  /** What of the protocol the server knows; everything unless said otherwise. */
  readonly abilities?: Partial<ServerAbilities>;
}

/** What goes back over the connection: a body, the events of a stream, or a failure. */
export type Answer = { readonly body: object } | { readonly events: readonly object[] } | ModelFault;

const usualDimensions = 64;

/** Finds the answer to a request: what was written for it, or a sound one. */
export async function answerTo(request: ModelRequest, options: AnswerOptions, replies: ReplyBook): Promise<Answer> {
  if (!hasKey(request, options)) return { fault: 'unauthorized' };
  if (request.path.endsWith('/models'))
    return { body: { object: 'list', data: [{ id: 'stand-in', object: 'model' }] } };
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
  return request.body.stream === true
    ? { events: chatCompletionChunks(said, request) }
    : { body: chatCompletion(said, request) };
}
