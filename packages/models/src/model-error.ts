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
  /** Status of the server's answer, when there was one. */
  readonly status?: number | undefined;
  /** How long the server asked to wait. Milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** Codes after which the same request may work a little later. */
const passing: readonly ModelErrorCode[] = ['rate-limited', 'timeout', 'unavailable'];

/** A model gave no usable answer. The message is for a user: it says what happened and what to do, and holds no key. */
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

  /** Whether the same request may work later. */
  get isPassing(): boolean {
    return passing.includes(this.code);
  }
}

/** So many facts one batch may yield, and so one item too: what yields more is hardly text that somebody wrote. */
export const maxFacts = 20_000;

/** @param count how many facts would be too many */
export function tooManyFacts(count: number): ModelError {
  return new ModelError(
    'too-large',
    `The text yields more than ${count} facts, the most that one batch may have. Send it in several batches.`,
  );
}
