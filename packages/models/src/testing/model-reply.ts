import type { ModelRequest, StandInTask } from './model-request.ts';

/**
 * Ways in which a model or its server can fail.
 *
 * - `broken-json`, `wrong-form`: truncated JSON, JSON of another form than requested
 * - `refusal`, `content-filter`, `empty`, `truncated`: failures of the model itself
 * - `rate-limit`, `quota`, `server-error`, `unauthorized`, `bad-request`, `not-found`: an error with its usual status
 * - `stall`, `stall-body`: the connection stays open without a response, or with an incomplete one
 * - `disconnect`: the connection is cut; `not-json`: a page instead of an answer
 */
export type ModelFaultKind =
  | 'broken-json'
  | 'wrong-form'
  | 'refusal'
  | 'content-filter'
  | 'empty'
  | 'truncated'
  | 'rate-limit'
  | 'quota'
  | 'server-error'
  | 'unauthorized'
  | 'bad-request'
  | 'not-found'
  | 'stall'
  | 'stall-body'
  | 'disconnect'
  | 'not-json';

export interface ModelFault {
  readonly fault: ModelFaultKind;
  /** Header `Retry-After`, as sent: seconds or a date. */
  readonly retryAfter?: string;
  /** Instead of the usual one. */
  readonly status?: number;
  /** What the server says in its error. */
  readonly message?: string;
}

/** A text; a value that is sent as JSON text; or a fault. For embeddings, the value is the whole body. */
export type PlainReply = string | { readonly json: unknown } | ModelFault;

/** A reply, or a function that makes one from the request. */
export type ModelReply = PlainReply | ((request: ModelRequest) => ModelReply);

/** Which requests a reply is for: a task, all of them (`*`), those with a text that matches, or those that a function picks. */
export type ReplyMatcher = StandInTask | '*' | RegExp | ((request: ModelRequest) => boolean);

export interface ReplyBook {
  /** For every matching request; precedes earlier entries. */
  always(matcher: ReplyMatcher, reply: ModelReply): void;
  /** For the next matching requests, one each; precedes all permanent replies. */
  next(matcher: ReplyMatcher, ...replies: readonly ModelReply[]): void;
  clear(): void;
  /** Undefined when there is no reply for the request. */
  find(request: ModelRequest): PlainReply | undefined;
}

interface Entry {
  readonly matcher: ReplyMatcher;
  readonly reply: ModelReply;
}

export function createReplyBook(): ReplyBook {
  let lasting: Entry[] = [];
  let single: Entry[] = [];
  return {
    always: (matcher, reply) => {
      lasting.unshift({ matcher, reply });
    },
    next: (matcher, ...replies) => {
      single.push(...replies.map((reply) => ({ matcher, reply })));
    },
    clear: () => {
      lasting = [];
      single = [];
    },
    find: (request) => {
      const matches = ({ matcher }: Entry) => isFor(matcher, request);
      const entry = single.find(matches) ?? lasting.find(matches);
      single = single.filter((other) => other !== entry);
      return entry === undefined ? undefined : resolved(entry.reply, request);
    },
  };
}

function isFor(matcher: ReplyMatcher, request: ModelRequest): boolean {
  if (typeof matcher === 'function') return matcher(request);
  if (matcher instanceof RegExp) return matcher.test(request.text);
  return matcher === '*' || matcher === request.task;
}

function resolved(reply: ModelReply, request: ModelRequest): PlainReply {
  let current = reply;
  while (typeof current === 'function') current = current(request);
  return current;
}
