export type ModelErrorCode =
  | 'rate-limited'
  | 'quota'
  | 'timeout'
  | 'unavailable'
  | 'refused'
  | 'too-large'
  | 'invalid-output'
  | 'empty'
  | 'authentication'
  | 'configuration';

export interface ModelErrorDetails {
  /** HTTP status of the server's response, when there was one. */
  readonly status?: number | undefined;
  /** The server's `Retry-After`, or what is left of a pause, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** Codes of transient errors. */
const passing: readonly ModelErrorCode[] = ['rate-limited', 'timeout', 'unavailable'];

/** A model gave no usable answer. The message is for users: it says what happened and what to do, and contains no key. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ModelErrorCode, message: string, details: ModelErrorDetails = {}) {
    super(message);
    this.code = code;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return passing.includes(this.code);
  }
}

/** How long to wait before a failed request is made again, in milliseconds; undefined when it is not known, or for another error. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof ModelError ? error.retryAfterMs : undefined;
}

/** A server gives vectors of another length than those that are stored, under the same name. */
export function otherLength(name: string, stored: number, given: number): ModelError {
  return new ModelError(
    'configuration',
    `${name} gave vectors of ${stored} numbers when the memory was stored, and gives ${given} now. Run \`mneme reembed\` ` +
      `with EMBEDDING_DIMENSIONS=${given}, or bring the former model back.`,
  );
}

/** Maximum number of facts of a batch, and so of an item. Text written by people does not exceed it. */
export const maxFacts = 20_000;

/** @param count the limit that was exceeded */
export function tooManyFacts(count: number): ModelError {
  return new ModelError(
    'too-large',
    `The text yields more than ${count} facts, the most that one batch may have. Send it in several batches.`,
  );
}
