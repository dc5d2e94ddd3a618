export interface MnemeErrorOptions extends ErrorOptions {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly body?: unknown;
}

/** A request that failed. Refusals of the server and failures of the network look alike. */
export class MnemeError extends Error {
  override readonly name = 'MnemeError';
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /**
   * The server's stable code, such as `NOT_FOUND` or `RATE_LIMITED`; `INVALID_REQUEST` for 422. Of the client itself:
   * `NETWORK_ERROR`, `TIMEOUT`, `INVALID_REQUEST` for what cannot be sent (all with status 0), and `INVALID_RESPONSE` for a
   * reply that is not one of Mneme's, or a redirection (status 0 in browsers).
   */
  readonly code: string;
  /** What is wrong, in a sentence. */
  readonly detail: string;
  /** The `X-Request-Id` of the response; include it when you ask for support. */
  readonly requestId: string | undefined;
  /** When to try again, in seconds, if the server said so. */
  readonly retryAfter: number | undefined;
  /** The body of the response: a problem (RFC 9457), or the faults of a 422. */
  readonly body: unknown;

  constructor(options: MnemeErrorOptions) {
    super(`${options.code}: ${options.detail}`, 'cause' in options ? { cause: options.cause } : {});
    this.status = options.status;
    this.code = options.code;
    this.detail = options.detail;
    this.requestId = options.requestId;
    this.retryAfter = options.retryAfter;
    this.body = options.body;
  }
}

/** For what cannot be sent, whatever the server would say. */
export function invalidRequest(detail: string, options: ErrorOptions = {}): MnemeError {
  return new MnemeError({ status: 0, code: 'INVALID_REQUEST', detail, ...options });
}

/** Statuses after which the same request may succeed. A 500 is the server's final answer. */
const passing: ReadonlySet<number> = new Set([0, 408, 425, 429, 502, 503, 504]);

/** Codes of the client whose status may be 0, and after which the same request fails again. */
const lasting: ReadonlySet<string> = new Set(['INVALID_REQUEST', 'INVALID_RESPONSE']);

/** Whether a failure is a passing one, after which the same request may succeed. */
export function isWorthRepeating(error: unknown): error is MnemeError {
  return error instanceof MnemeError && passing.has(error.status) && !lasting.has(error.code);
}

/**
 * A proxy may have written the body, so nothing in it is taken on trust.
 *
 * @param body JSON, or the text if it is none
 * @param now milliseconds since 1970
 */
export function errorOf(response: Response, body: unknown, now: number): MnemeError {
  const { status, statusText, headers } = response;
  const problem: Problem = typeof body === 'object' && body !== null ? body : {};
  return new MnemeError({
    status,
    code: textOf(problem.code) ?? (status === 422 ? 'INVALID_REQUEST' : `HTTP_${status}`),
    detail: detailOf(problem) ?? `The server replied ${status} ${statusText}`.trimEnd(),
    requestId: textOf(problem.request_id) ?? headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after'), now),
    body,
  });
}

interface Problem {
  readonly code?: unknown;
  readonly request_id?: unknown;
  readonly detail?: unknown;
}

interface Fault {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

function detailOf({ detail }: Problem): string | undefined {
  if (!Array.isArray(detail) || !detail.every(isFault)) return textOf(detail);
  return textOf(detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '));
}

function isFault(value: unknown): value is Fault {
  const { loc, msg } = (value ?? {}) as Partial<Fault>;
  const isPlace = Array.isArray(loc) && loc.every((step) => typeof step === 'string' || typeof step === 'number');
  return isPlace && typeof msg === 'string';
}

/** A text that says something. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. */
function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1_000);
}
