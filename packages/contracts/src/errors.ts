/** The stable values of `code` in error responses. Only services send `UNPROCESSABLE`: a response with 422 has no code. */
export const errorCodes = [
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'SESSION_EXPIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MISDIRECTED_REQUEST',
  'UNPROCESSABLE',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'READ_MODEL_BEHIND',
  'REBUILDING',
  'TIMEOUT',
  'INTERNAL_ERROR',
  'FETCH_ERROR',
  'CREATE_ERROR',
  'UPDATE_ERROR',
  'DELETE_ERROR',
  'WEBHOOK_ERROR',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** An error as a service sends it to the gateway. */
export interface ErrorReply {
  /** The HTTP status of the gateway's response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** One sentence that tells the caller what to do. */
  readonly message: string;
  /** Additional members of the problem body, such as the id of an operation that continues. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The error was unexpected, and the message says nothing about it; a route may have a message of its own. */
  readonly isUnexplained?: boolean;
}

/** Thrown when a request is refused or fails, in a service or in the gateway; sent over NATS as an `ErrorReply`. */
export class WireError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly isUnexplained: boolean;

  constructor(reply: ErrorReply, options?: ErrorOptions) {
    super(reply.message, options);
    this.name = 'WireError';
    this.status = reply.status;
    this.code = reply.code;
    this.extra = reply.extra ?? {};
    this.isUnexplained = reply.isUnexplained ?? false;
  }
}
